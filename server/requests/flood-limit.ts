import type { Request } from 'express'
import { Refusal } from '../errors.ts'
import { getAddressKey } from './address.ts'

/** This many addresses take about 15 MB for each limit. */
const MAX_ADDRESSES = 50_000

interface FloodLimitParts {
  count: number
  windowMinutes: number
  /** Current time in ms, by default from a monotonic clock. */
  now?: () => number
  maxAddresses?: number
}

/** Counts in memory, each process for itself. An address is forgotten when its window ends. */
export function createFloodLimit(parts: FloodLimitParts) {
  const { now = () => performance.now(), maxAddresses = MAX_ADDRESSES } = parts
  const windowMs = parts.windowMinutes * 60_000
  /** In the order in which the windows end. */
  const windows = new Map<string, { count: number; end: number }>()

  function forget(): void {
    const time = now()
    for (const [address, { end }] of windows) {
      if (end > time && windows.size <= maxAddresses) return
      windows.delete(address)
    }
  }

  return {
    /** Throws a Refusal if the address has used up its count. */
    check(req: Request): void {
      const time = now()
      const window = windows.get(getAddressKey(req))
      if (!window || window.end <= time || window.count < parts.count) return
      const retryAfterSeconds = Math.ceil((window.end - time) / 1000)
      throw new Refusal('too-many-refusals', { retryAfterSeconds })
    },

    count(req: Request): void {
      forget()
      const address = getAddressKey(req)
      const window = windows.get(address)
      if (window) {
        window.count += 1
        return
      }
      windows.set(address, { count: 1, end: now() + windowMs })
      forget()
      setTimeout(forget, windowMs).unref()
    },

    size: () => windows.size,
  }
}
