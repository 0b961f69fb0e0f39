import type { Request } from 'express'
import { Refusal } from '../errors.ts'
import { getAddressKey } from './address.ts'

/** This many addresses take about 15 MB for each limit. */
const MAX_ADDRESSES = 50_000

interface FloodLimitOptions {
  count: number
  windowMinutes: number
  maxAddresses?: number
}

/** Counts in memory, each process for itself. Forgets an address at the end of its window, or as the oldest of too many. */
export function createFloodLimit(parts: FloodLimitOptions) {
  const { count, windowMinutes, maxAddresses = MAX_ADDRESSES } = parts
  const windowMs = windowMinutes * 60_000
  /** The oldest is first. */
  const windows = new Map<string, { count: number; end: number; timer: NodeJS.Timeout }>()

  function forget(address = ''): void {
    clearTimeout(windows.get(address)?.timer)
    windows.delete(address)
  }

  return {
    /** Throws a Refusal if the address has used up its count. */
    check(req: Request): void {
      const window = windows.get(getAddressKey(req))
      if (!window || window.count < count) return
      const remainingMs = window.end - performance.now()
      // The timer that forgets the address may be late.
      if (remainingMs <= 0) return
      throw new Refusal('too-many-refusals', { retryAfterSeconds: Math.ceil(remainingMs / 1000) })
    },

    count(req: Request): void {
      const address = getAddressKey(req)
      const window = windows.get(address)
      if (window) {
        window.count += 1
        return
      }
      if (windows.size >= maxAddresses) forget(windows.keys().next().value)
      const timer = setTimeout(forget, windowMs, address).unref()
      windows.set(address, { count: 1, end: performance.now() + windowMs, timer })
    },

    size: () => windows.size,
  }
}
