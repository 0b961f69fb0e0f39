import { setTimeout } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { Store as HitStore } from 'express-rate-limit'
import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import { Refusal } from '../errors.ts'
import { findRepeated, keepMessage, type Receipt } from '../inbox/keep-message.ts'
import type { NewMessage } from '../inbox/message.ts'
import type { Store } from '../inbox/store.ts'
import { getAddressKey } from '../requests/address.ts'

declare global {
  namespace Express {
    interface Locals {
      /** Set by `validate`. */
      message: NewMessage
    }
  }
}

/** Checks the body by the schema and the server's clock. A visitor whose clock is wrong gets the server's time for the next try. */
export function createValidate(now: () => number): RequestHandler {
  return (req, res, next) => {
    const time = now()
    const result = checkContact(req.body, time)
    if (!result.ok) {
      const isTooFast = result.faults[0].code === 'too-fast'
      const retry = {
        retryAfterSeconds: MIN_FILL_MS / 1000,
        headers: { 'Form-Start-Time': String(time) },
      }
      throw new Refusal(result.faults, isTooFast ? retry : {})
    }
    const { chosenLanguage, apiLanguage, address } = res.locals
    const language = chosenLanguage ?? apiLanguage
    res.locals.message = { ...result.request, language, address: getAddressKey(address) }
    next()
  }
}

/** Answers with the reference of a stored message. The page's form, without JavaScript, is sent on to the page that thanks. */
function sendReceipt(req: Request, res: Response, receipt: Receipt): void {
  const { outcome, reference, receivedAt } = receipt
  res.locals.details = { outcome, reference }
  // The message limit may have set it before the repeat was found.
  res.removeHeader('Retry-After')
  if (req.path === '/contact') {
    const lang = res.locals.chosenLanguage ?? DEFAULT_LANGUAGE
    res.redirect(303, `/contact?${new URLSearchParams({ sent: reference, lang })}`)
  } else res.set('Cache-Control', 'no-store').json({ reference, receivedAt })
}

/** Answers a repeated message with its first reference. Looks again after each of the delays. */
export function createFindRepeated(store: Store, delaysMs: number[] = []): RequestHandler {
  return async (req, res, next) => {
    let receipt = await findRepeated(store, res.locals.message)
    for (const delay of delaysMs) {
      if (receipt) break
      await setTimeout(delay)
      receipt = await findRepeated(store, res.locals.message)
    }
    if (receipt) sendReceipt(req, res, receipt)
    else next()
  }
}

/** Stores the message, then answers. `wakeMailing` must return at once. */
export function createKeep(store: Store, hits: HitStore, wakeMailing?: () => void): RequestHandler {
  const giveBackHit = async (req: Request, { address }: NewMessage) => {
    try {
      await hits.decrement(address)
    } catch (err) {
      req.log.warn({ err }, 'a message was not stored, but counts until its window ends')
    }
  }
  return async (req, res) => {
    const { message } = res.locals
    const receipt = await keepMessage(store, message).catch(async (error) => {
      await giveBackHit(req, message)
      throw error
    })
    if (receipt.outcome === 'repeated') await giveBackHit(req, message)
    if (receipt.outcome === 'accepted') wakeMailing?.()
    sendReceipt(req, res, receipt)
  }
}
