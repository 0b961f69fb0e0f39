import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestHandler } from 'express'
import { rateLimit, type Store } from 'express-rate-limit'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal, refuseUnavailable } from '../errors.ts'
import type { Hit, Inbox } from '../inbox/inbox.ts'
import { addressKey } from '../requests/address.ts'

/** What the limit reads and writes of a request's locals. */
interface LimitedCall {
  deadline: number
  hit?: Hit
}

interface MessageLimitParts {
  inbox: Inbox
  limit: ContactLimit
  now: () => number
}

/** Lets so many messages of an address through in a sliding window, counted in the inbox's own database. */
export function createMessageLimit({ inbox, limit, now }: MessageLimitParts): RequestHandler {
  const windowMs = limit.windowMinutes * 60_000
  const calls = new AsyncLocalStorage<LimitedCall>()
  const limiter = rateLimit({
    windowMs,
    limit: limit.count,
    store: createHitStore({ inbox, limit: { limit: limit.count, windowMs }, calls }),
    keyGenerator: addressKey,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_req, res, next) => {
      const { resetTime } = (res.locals as LimitedCall).hit ?? {}
      const seconds = Math.ceil(((resetTime?.getTime() ?? now() + windowMs) - now()) / 1000)
      const headers = { 'Retry-After': String(Math.max(1, seconds)) }
      next(new Refusal('limit-reached', { headers }))
    },
  })
  return (req, res, next) => calls.run(res.locals as LimitedCall, () => limiter(req, res, next))
}

interface HitStoreParts {
  inbox: Inbox
  limit: { limit: number; windowMs: number }
  /** The request under way: the limiter hands its store an address only. */
  calls: AsyncLocalStorage<LimitedCall>
}

function createHitStore({ inbox, limit, calls }: HitStoreParts): Store {
  return {
    async increment(address) {
      const call = calls.getStore()
      if (!call) throw new Error('The message limit stands outside its request')
      call.hit = await inbox.hit(address, limit, call.deadline).catch(refuseUnavailable)
      return { totalHits: call.hit.hits, resetTime: call.hit.resetTime }
    },
    async decrement() {
      const call = calls.getStore()
      if (call?.hit) await inbox.giveBack(call.hit, call.deadline)
    },
    async resetKey() {
      throw new Error('Hits leave their window by themselves')
    },
  }
}
