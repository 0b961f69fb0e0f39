import type { Request, RequestHandler } from 'express'
import { Refusal } from '../errors.ts'
import { addressKey } from '../requests/address.ts'
import { createAddressCounts } from '../requests/address-counts.ts'

export interface RefusalLimit {
  /** Stops an address that has been refused too often. */
  gate: RequestHandler
  /** Counts a refusal, except 5xx. */
  count(req: Request, refusal: Refusal): void
}

interface RefusalLimitParts {
  limit: { count: number; windowMinutes: number }
  now: () => number
  maxAddresses?: number
}

/** Bounds the refusals of an address in a fixed window, in each process on its own. */
export function createRefusalLimit(parts: RefusalLimitParts): RefusalLimit {
  const { limit, now, maxAddresses: most } = parts
  const counts = createAddressCounts({ windowMs: limit.windowMinutes * 60_000, now, most })
  return {
    gate(req, _res, next) {
      const known = counts.get(addressKey(req))
      if (!known || known.totalHits < limit.count) {
        next()
        return
      }
      // The window may have ended since `get` read the clock.
      const seconds = Math.max(1, Math.ceil((known.end - now()) / 1000))
      next(new Refusal('too-many-refusals', { headers: { 'Retry-After': String(seconds) } }))
    },
    count(req, { status }) {
      if (status < 500) counts.increment(addressKey(req))
    },
  }
}
