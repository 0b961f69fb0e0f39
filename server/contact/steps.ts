import type { RequestHandler, Response } from 'express'
import { MINIMUM_FILL_TIME } from '../../shared/business.ts'
import { type ContactRequest, checkContact, type Fault } from '../../shared/contact.ts'
import type { Language } from '../../shared/language.ts'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal, refuseUnavailable } from '../errors.ts'
import { getFingerprint } from '../inbox/fingerprint.ts'
import type { Hit, Inbox, Receipt } from '../inbox/inbox.ts'
import { addressKey } from '../requests/address.ts'
import { createMessageLimit } from './message-limit.ts'

const TIME_TO_KEEP = 2000
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** What the steps of a contact request hand on, in `res.locals`. */
export interface ContactLocals {
  language: Language
  body: Record<string, unknown>
  request: ContactRequest
  idempotencyKey?: string
  /** Until when the message must be kept, in epoch ms. */
  deadline: number
  hit?: Hit
  receipt?: Receipt
}

export const localsOf = (res: Response) => res.locals as ContactLocals & Response['locals']

/** Throws where nothing has been kept. */
export function getReceipt(res: Response): Receipt {
  const { receipt } = localsOf(res)
  if (!receipt) throw new Error('A message was answered for that is not kept')
  return receipt
}

export interface StepParts {
  inbox: Inbox
  onKept?: () => void
  limit: ContactLimit
  now: () => number
}

/** From a body that has been read to a receipt in `res.locals`: check, replay, limit, keep. */
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

  const replay: RequestHandler = async (_req, res, next) => {
    const locals = localsOf(res)
    const { idempotencyKey, request, deadline } = locals
    if (idempotencyKey) {
      const fingerprint = getFingerprint(request)
      locals.receipt = await inbox
        .findReceipt(idempotencyKey, fingerprint, deadline)
        .catch(refuseUnavailable)
    }
    next()
  }

  const keep: RequestHandler = async (req, res, next) => {
    const locals = localsOf(res)
    const { request, language, idempotencyKey, deadline, hit } = locals
    const message = { ...request, language, address: addressKey(req), idempotencyKey }
    try {
      locals.receipt = await inbox.keep(message, deadline)
    } catch (error) {
      if (hit) await inbox.giveBack(hit, deadline)
      refuseUnavailable(error)
    }
    onKept?.()
    next()
  }

  const unlessReplayed =
    (step: RequestHandler): RequestHandler =>
    (req, res, next) =>
      localsOf(res).receipt ? next() : step(req, res, next)

  const messageLimit = createMessageLimit({ inbox, limit, now })
  return [check, replay, unlessReplayed(messageLimit), unlessReplayed(keep)]
}

function createRefusal(faults: [Fault, ...Fault[]], time: number): Refusal {
  const [{ code }] = faults
  if (code !== 'too-fast') return new Refusal(code, { faults })
  const retryAfter = String(MINIMUM_FILL_TIME / 1000)
  const headers = { 'Retry-After': retryAfter, 'Form-Start-Time': String(time) }
  return new Refusal(code, { faults, headers })
}
