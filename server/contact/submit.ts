import type { Request, RequestHandler, Response } from 'express'
import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import { Refusal } from '../errors.ts'
import { keepMessage, type Receipt } from '../inbox/keep-message.ts'
import type { NewMessage } from '../inbox/message.ts'
import type { Store } from '../inbox/store.ts'
import { getAddressKey } from '../requests/address.ts'
import { getMessageLanguage } from '../requests/language.ts'

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
    res.locals.message = {
      ...result.request,
      language: getMessageLanguage(req, res),
      address: getAddressKey(res.locals.address),
    }
    next()
  }
}

/** Answers with the reference of a stored message. The page's form, without JavaScript, is sent on to the page that thanks. */
function sendReceipt(req: Request, res: Response, receipt: Receipt): void {
  const { outcome, reference, receivedAt } = receipt
  res.locals.details = { outcome, reference }
  if (req.path === '/contact') {
    const lang = res.locals.chosenLanguage ?? DEFAULT_LANGUAGE
    res.redirect(303, `/contact?${new URLSearchParams({ sent: reference, lang })}`)
  } else res.set('Cache-Control', 'no-store').json({ reference, receivedAt })
}

/** Stores the message, then answers; a message with the content of an earlier one gets the earlier reference. `wakeMailing` must return at once. */
export function createKeep(
  store: Store,
  giveBackHit: (req: Request, res: Response) => Promise<void>,
  wakeMailing?: () => void,
): RequestHandler {
  return async (req, res) => {
    const receipt = await keepMessage(store, res.locals.message).catch(async (error) => {
      await giveBackHit(req, res)
      throw error
    })
    if (receipt.outcome === 'accepted') wakeMailing?.()
    sendReceipt(req, res, receipt)
  }
}
