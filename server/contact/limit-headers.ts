import { AsyncLocalStorage } from 'node:async_hooks'
import type { Request, Response } from 'express'
import { type ClientRateLimitInfo, rateLimit } from 'express-rate-limit'
import { getAddressKey } from '../requests/address.ts'

/**
 * The returned function writes the headers of the message limit. It counts and refuses nothing: the transaction that stores
 * the message has counted the address's hits.
 */
export function createLimitHeaders(limit: number, windowMs: number) {
  const counted = new AsyncLocalStorage<ClientRateLimitInfo>()
  const handle = rateLimit({
    windowMs,
    limit,
    keyGenerator: getAddressKey,
    // The type requires the empty methods.
    store: {
      increment: () => counted.getStore() as ClientRateLimitInfo,
      decrement() {},
      resetKey() {},
    },
    handler: (_req, _res, next) => next(),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
  })
  return async (
    req: Request,
    res: Response,
    { totalHits: count, resetInMs }: { totalHits: number; resetInMs: number },
  ): Promise<void> => {
    const info = { totalHits: count, resetTime: new Date(Date.now() + resetInMs) }
    await counted.run(info, () => new Promise((done) => handle(req, res, done)))
  }
}
