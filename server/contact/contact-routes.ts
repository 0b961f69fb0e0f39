import { Router } from 'express'
import type { Config } from '../config.ts'
import type { Store } from '../inbox/store.ts'
import type { SendPage } from '../pages/send-page.ts'
import { createCheckOrigin } from '../requests/origin.ts'
import { refuseMethod } from '../requests/paths.ts'
import { json, urlencoded } from './body.ts'
import { createContactPage } from './contact-page.ts'
import { createHitStore, createMessageLimit, createRefusalLimit } from './limits.ts'
import { createFindRepeated, createKeep, createValidate } from './submit.ts'

export interface ContactDeps {
  config: Pick<Config, 'contactLimit'>
  /** The site's own origins. */
  origins: string[]
  store: Store
  /** Current time in epoch ms. */
  now: () => number
  /** Called after a message was stored and queued to be mailed; must return at once. */
  wakeMailing?: () => void
}

/**
 * Two identical messages may come side by side. The first one takes the last slot and is stored a moment later, so the second
 * one looks for it again before it is refused.
 */
const RECHECK_DELAYS_MS = [50, 200]

/** POST /api/contact is for programs and the site's script, POST /contact for the page's form without JavaScript. */
export function contactRoutes(
  { config, origins, store, now, wakeMailing }: ContactDeps,
  sendPage: SendPage,
) {
  const checkOrigin = createCheckOrigin(origins)
  const refusals = createRefusalLimit()
  const validate = createValidate(now)
  const findRepeated = createFindRepeated(store)
  const hits = createHitStore(store, config.contactLimit)
  const findRepeatedAgain = createFindRepeated(store, RECHECK_DELAYS_MS)
  const limit = createMessageLimit(hits, config.contactLimit, findRepeatedAgain)
  const keep = createKeep(store, hits, wakeMailing)
  const page = createContactPage(store, sendPage, now)

  const contact = Router({ strict: true, caseSensitive: true })
  contact
    .route('/api/contact')
    .post(checkOrigin, refusals, json, validate, findRepeated, limit, keep)
    .all(refuseMethod('POST'))
  contact
    .route('/contact')
    .get(page.show)
    // The text is read first, so that every refusal can show it again.
    .post(
      checkOrigin,
      urlencoded,
      refusals,
      page.showInOtherLanguage,
      validate,
      findRepeated,
      limit,
      keep,
    )
    .all(refuseMethod('GET, HEAD, POST'))
  contact.use('/contact', page.showRefused)
  return contact
}
