import type { Request, RequestHandler, Response } from 'express'
import { type Store as HitStore, type RateLimitInfo, rateLimit } from 'express-rate-limit'
import { type ContactLimit, REFUSAL_LIMIT } from '../../shared/contact-limit.ts'
import { Refusal } from '../errors.ts'
import { giveBackSlot, takeSlot } from '../inbox/slots.ts'
import type { Store } from '../inbox/store.ts'
import { getAddressKey } from '../requests/address.ts'

const MINUTE_MS = 60_000

const keyGenerator = (_req: Request, res: Response) => getAddressKey(res.locals.address)

function createRefusal(code: 'limit-reached' | 'too-many-refusals', info?: RateLimitInfo) {
  const waitMs = Number(info?.resetTime ?? 0) - Date.now()
  return new Refusal(code, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/** Counts the requests that get a refusal, in the memory of each process. An outage of ours is not the visitor's fault. */
export function createRefusalLimit(): RequestHandler {
  return rateLimit({
    windowMs: REFUSAL_LIMIT.windowMinutes * MINUTE_MS,
    limit: REFUSAL_LIMIT.count,
    keyGenerator,
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_req, { statusCode }) => statusCode < 400 || statusCode >= 500,
    standardHeaders: false,
    legacyHeaders: false,
    requestPropertyName: 'refusals',
    handler: (req, _res, next) => next(createRefusal('too-many-refusals', req.refusals)),
  })
}

/** The hits of the message limit are in the inbox, so that restarts and other processes do not reset them. */
export function createHitStore(store: Store, { count, windowMinutes }: ContactLimit): HitStore {
  const slot = { limit: count, windowMs: windowMinutes * MINUTE_MS }
  return {
    async increment(address) {
      const { totalHits, resetInMs } = await takeSlot(store, { address, ...slot })
      return { totalHits, resetTime: new Date(Date.now() + resetInMs) }
    },
    decrement: (address) => giveBackSlot(store, address),
    // express-rate-limit calls it only when an app asks for it.
    resetKey() {},
  }
}

/** Counts new messages. `keep` gives the hit of a message back that it cannot store. */
export function createMessageLimit(
  hits: HitStore,
  limit: ContactLimit,
  findRepeatedAgain: RequestHandler,
): RequestHandler {
  return rateLimit({
    windowMs: limit.windowMinutes * MINUTE_MS,
    limit: limit.count,
    keyGenerator,
    store: hits,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (req, res, next) =>
      findRepeatedAgain(req, res, () => next(createRefusal('limit-reached', req.rateLimit))),
  })
}

declare module 'express-serve-static-core' {
  interface Request {
    rateLimit?: RateLimitInfo
    refusals?: RateLimitInfo
  }
}
