import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestHandler } from 'express'
import { rateLimit, type Store } from 'express-rate-limit'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal, refuseUnavailable } from '../errors.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { addressKey } from '../requests/address.ts'
import { type ContactLocals, localsOf } from './locals.ts'

interface MessageLimitParts {
  inbox: Inbox
  limit: ContactLimit
  now: () => number
}

/**
 * Keeps so many messages of an address in a sliding window. The limiter's store is the inbox: a
 * message and its hit are one transaction, so both happen or neither.
 */
export function createMessageLimit({ inbox, limit, now }: MessageLimitParts): RequestHandler {
  const windowMs = limit.windowMinutes * 60_000
  const calls = new AsyncLocalStorage<ContactLocals>()
  const limiter = rateLimit({
    windowMs,
    limit: limit.count,
    store: createStore({ inbox, limit: { limit: limit.count, windowMs }, calls, now }),
    keyGenerator: addressKey,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_req, res, next) => {
      const { resetInMs = windowMs } = localsOf(res)
      const headers = { 'Retry-After': String(Math.max(1, Math.ceil(resetInMs / 1000))) }
      next(new Refusal('limit-reached', { headers }))
    },
  })
  return (req, res, next) => calls.run(localsOf(res), () => limiter(req, res, next))
}

interface StoreParts {
  inbox: Inbox
  limit: { limit: number; windowMs: number }
  /** The request under way: the limiter hands its store an address only. */
  calls: AsyncLocalStorage<ContactLocals>
  now: () => number
}

function createStore({ inbox, limit, calls, now }: StoreParts): Store {
  return {
    async increment(address) {
      const call = calls.getStore()
      if (!call) throw new Error('The message limit stands outside its request')
      const { request, language, idempotencyKey, deadline } = call
      const message = { ...request, language, address, idempotencyKey }
      const { receipt, count, resetInMs } = await inbox
        .submit(message, limit, deadline)
        .catch(refuseUnavailable)
      Object.assign(call, { receipt, resetInMs })
      // A kept message, or a replay, is within the limit; express-rate-limit rejects 0.
      const totalHits = receipt ? Math.min(Math.max(1, count), limit.limit) : count
      return { totalHits, resetTime: new Date(now() + resetInMs) }
    },
    async decrement() {
      throw new Error('A hit is rolled back with its message')
    },
    async resetKey() {
      throw new Error('Hits leave their window by themselves')
    },
  }
}
