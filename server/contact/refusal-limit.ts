import type { Request, RequestHandler } from 'express'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal } from '../errors.ts'
import { addressKey } from '../requests/address.ts'
import { createAddressCounts } from '../requests/address-counts.ts'

export interface RefusalLimit {
  /** Stops an address that has been refused too often. */
  gate: RequestHandler
  /** Counts a refusal, if it is one that counts. */
  count(req: Request, refusal: Refusal): void
}

interface RefusalLimitParts {
  limit: ContactLimit
  now: () => number
  /** How many addresses are remembered at most. */
  most?: number
}

/** Bounds how often an address may be refused in a fixed window, in each process on its own. */
export function createRefusalLimit({ limit, now, most }: RefusalLimitParts): RefusalLimit {
  const counts = createAddressCounts({ windowMs: limit.windowMinutes * 60_000, now, most })
  return {
    gate(req, _res, next) {
      const known = counts.get(addressKey(req))
      if (!known || known.totalHits < limit.count) {
        next()
        return
      }
      // The clock may have passed the end since it was read.
      const seconds = Math.max(1, Math.ceil((known.end - now()) / 1000))
      next(new Refusal('too-many-refusals', { headers: { 'Retry-After': String(seconds) } }))
    },
    count(req, { status }) {
      if (status < 500) counts.increment(addressKey(req))
    },
  }
}
