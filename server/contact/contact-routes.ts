import { Router } from 'express'
import type { Config } from '../config.ts'
import type { Store } from '../inbox/store.ts'
import type { SendPage } from '../pages/send-page.ts'
import { createCheckOrigin } from '../requests/origin.ts'
import { refuseMethod } from '../requests/paths.ts'
import { json, urlencoded } from './body.ts'
import { createContactPage } from './contact-page.ts'
import { createKeep } from './keep.ts'
import { createMessageLimit } from './limit.ts'
import { createValidate } from './validate.ts'

export interface ContactDeps {
  config: Pick<Config, 'contactLimit' | 'publicOrigins'>
  store: Store
  /** Current time in epoch ms. */
  now: () => number
  /** Called after a message was stored and queued to be mailed; must return at once. */
  wakeMailing?: () => void
}

/** POST /api/contact is for programs and the site's script, POST /contact for the page's form without JavaScript. */
export function contactRoutes(
  { config, store, now, wakeMailing }: ContactDeps,
  sendPage: SendPage,
) {
  const checkOrigin = createCheckOrigin(config.publicOrigins)
  const validate = createValidate(now)
  const { limit, giveBackHit } = createMessageLimit(store, config.contactLimit)
  const keep = createKeep(store, giveBackHit, wakeMailing)
  const page = createContactPage(store, sendPage, now)

  const contact = Router({ strict: true, caseSensitive: true })
  contact
    .route('/api/contact')
    .post(checkOrigin, json, validate, limit, keep)
    .all(refuseMethod('POST'))
  contact
    .route('/contact')
    .get(page.show)
    // The text is read first, so that every refusal can show it again.
    .post(checkOrigin, urlencoded, page.showInOtherLanguage, validate, limit, keep)
    .all(refuseMethod('GET, HEAD, POST'))
  contact.use('/contact', page.showRefused)
  return contact
}
