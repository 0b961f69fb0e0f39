import type { RequestHandler } from 'express'
import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import { Refusal } from '../errors.ts'
import type { NewMessage } from '../inbox/message.ts'
import { getNetwork } from '../requests/address.ts'
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
      network: getNetwork(res.locals.address),
    }
    next()
  }
}
