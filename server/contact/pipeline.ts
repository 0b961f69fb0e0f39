import type { RequestHandler } from 'express'
import { MINIMUM_FILL_TIME } from '../../shared/constants.ts'
import { checkContact, type Fault } from '../../shared/contact.ts'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal } from '../errors.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { getReceipt, localsOf } from './locals.ts'
import { createMessageLimit } from './message-limit.ts'

const TIME_TO_KEEP = 2000
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

export interface StepParts {
  inbox: Inbox
  onKept?: () => void
  limit: ContactLimit
  now: () => number
}

/** From a body that has been read to a receipt in `res.locals`: check, then replay, limit and keep in one. */
export function createSteps({ inbox, onKept, limit, now }: StepParts): RequestHandler[] {
  const check: RequestHandler = (req, res, next) => {
    const locals = localsOf(res)
    const time = now()
    locals.deadline = Date.now() + TIME_TO_KEEP
    const result = checkContact(locals.body, time)
    if (!result.ok) throw createRefusal(result.faults, time)
    const key = req.get('Idempotency-Key')
    if (key !== undefined && !IDEMPOTENCY_KEY.test(key)) throw new Refusal('bad-idempotency-key')
    locals.request = result.request
    locals.idempotencyKey = key
    next()
  }

  const tell: RequestHandler = (_req, res, next) => {
    if (!getReceipt(res).repeated) onKept?.()
    next()
  }

  return [check, createMessageLimit({ inbox, limit, now }), tell]
}

function createRefusal(faults: [Fault, ...Fault[]], time: number): Refusal {
  const [{ code }] = faults
  if (code !== 'too-fast') return new Refusal(code, { faults })
  const retryAfter = String(MINIMUM_FILL_TIME / 1000)
  const headers = { 'Retry-After': retryAfter, 'Form-Start-Time': String(time) }
  return new Refusal(code, { faults, headers })
}
