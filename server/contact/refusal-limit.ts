import type { Request, RequestHandler } from 'express'
import { Refusal } from '../errors.ts'
import { getAddressKey } from '../requests/address.ts'
import { createAddressCounts } from '../requests/address-counts.ts'

interface RefusalLimitParts {
  limit: { count: number; windowMinutes: number }
  now: () => number
  maxAddresses?: number
}

/** Bounds the refusals of an address in a fixed window, in each process on its own. */
export function createRefusalLimit({ limit, now, maxAddresses }: RefusalLimitParts) {
  const windowMs = limit.windowMinutes * 60_000
  const counts = createAddressCounts({ windowMs, now, maxAddresses })

  /** Stops an address that has been refused too often. */
  const gate: RequestHandler = (req, _res, next) => {
    const known = counts.get(getAddressKey(req))
    if (!known || known.totalHits < limit.count) {
      next()
      return
    }
    // The window may have ended since `get` read the clock.
    const seconds = Math.max(1, Math.ceil((known.end - now()) / 1000))
    next(new Refusal('too-many-refusals', { headers: { 'Retry-After': String(seconds) } }))
  }

  /** Counts a refusal, except 5xx. */
  const count = (req: Request, { status }: Refusal): void => {
    if (status < 500) counts.increment(getAddressKey(req))
  }

  return { gate, count }
}
