import type { Request, Response } from 'express'
import { MIN_FILL_MS } from '../../shared/constants.ts'
import { checkContact } from '../../shared/contact.ts'
import type { Faults } from '../../shared/contact-faults.ts'
import type { Language } from '../../shared/language.ts'
import { Refusal } from '../errors.ts'
import { createMessageLimit, type MessageLimitParts } from './message-limit.ts'

const SUBMIT_TIMEOUT_MS = 2000
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** The returned function needs a request whose body has been read. */
export function createPipeline(parts: MessageLimitParts) {
  const submit = createMessageLimit(parts)

  return async (req: Request, res: Response, language: Language) => {
    const deadline = Date.now() + SUBMIT_TIMEOUT_MS
    const time = parts.now()
    const result = checkContact(res.locals.body ?? {}, time)
    if (!result.ok) throw createRefusal(result.faults, time)
    const idempotencyKey = req.get('Idempotency-Key')
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
      throw new Refusal('bad-idempotency-key')
    }
    const message = { ...result.request, language, idempotencyKey }
    const receipt = await submit(req, res, { message, deadline })
    const kept = message.trapped.length > 0 ? 'quarantined' : 'accepted'
    return { receipt, outcome: receipt.repeated ? 'replayed' : kept }
  }
}

function createRefusal(faults: Faults, time: number): Refusal {
  if (faults[0].code !== 'too-fast') return new Refusal(faults)
  const retryAfter = String(MIN_FILL_MS / 1000)
  const headers = { 'Retry-After': retryAfter, 'Form-Start-Time': String(time) }
  return new Refusal(faults, { headers })
}
