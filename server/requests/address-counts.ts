import type { Store } from 'express-rate-limit'

/** In each process; together they take about 12 MB. */
const MOST_ADDRESSES = 50_000

interface AddressCountsParts {
  windowMs: number
  /** The time in ms. */
  now?: () => number
  /** Limit of remembered addresses. */
  most?: number
}

interface AddressCount {
  totalHits: number
  resetTime: Date
  /** The same in ms. */
  end: number
}

export interface AddressCounts extends Store {
  get(address: string): AddressCount | undefined
  increment(address: string): AddressCount
}

/**
 * Counts by address in fixed windows, as a store of express-rate-limit. A full store forgets the half that was counted
 * longest ago: this refuses nobody, and whoever owns so many addresses is not held back by a limit for each.
 */
export function createAddressCounts(parts: AddressCountsParts): AddressCounts {
  const { windowMs, now = Date.now, most = MOST_ADDRESSES } = parts
  let recent = new Map<string, AddressCount>()
  let older: typeof recent = new Map()

  const get = (address: string) => {
    const count = recent.get(address) ?? older.get(address)
    // Ignore a window set by a clock that was ahead: it ends too late.
    return count && count.end > now() && count.end <= now() + windowMs ? count : undefined
  }

  const begin = (): AddressCount => {
    const end = now() + windowMs
    return { totalHits: 0, resetTime: new Date(end), end }
  }

  return {
    get,
    increment(address) {
      const count = get(address) ?? begin()
      count.totalHits += 1
      if (recent.size >= most / 2 && !recent.has(address)) {
        older = recent
        recent = new Map()
      }
      recent.set(address, count)
      return count
    },
    decrement(address) {
      const count = get(address)
      if (count) count.totalHits -= 1
    },
    resetKey(address) {
      recent.delete(address)
      older.delete(address)
    },
  }
}
