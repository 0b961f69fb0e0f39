import type { Request } from 'express'
import type { ContactLimit } from '../../shared/contact-limit.ts'
import { Refusal } from '../errors.ts'
import { getAddressKey } from './address.ts'

/** This many addresses take about 15 MB for each limit. */
const MAX_ADDRESSES = 50_000

/** Counts in memory, each process for itself. Forgets an address at the end of its window, and all if there are too many. */
export function createFloodLimit({ count, windowMinutes }: ContactLimit) {
  const windowMs = windowMinutes * 60_000
  const windows = new Map<string, { count: number; end: number }>()

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
      if (windows.size >= MAX_ADDRESSES) windows.clear()
      setTimeout(() => windows.delete(address), windowMs).unref()
      windows.set(address, { count: 1, end: performance.now() + windowMs })
    },

    size: () => windows.size,
  }
}
