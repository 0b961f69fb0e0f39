import type { Store } from 'express-rate-limit'

/** About 12 MB in each process. */
const MAX_ADDRESSES = 50_000

interface AddressCountsParts {
  windowMs: number
  now?: () => number
  maxAddresses?: number
}

interface AddressCount {
  totalHits: number
  resetTime: Date
  /** `resetTime` in ms. */
  end: number
}

export interface AddressCounts extends Store {
  get(address: string): AddressCount | undefined
  increment(address: string): AddressCount
}

/**
 * Store of express-rate-limit: counts by address in fixed windows. A full store forgets the older half of its addresses:
 * a limit per address cannot stop a sender with that many addresses anyway.
 */
export function createAddressCounts(parts: AddressCountsParts): AddressCounts {
  const { windowMs, now = Date.now, maxAddresses = MAX_ADDRESSES } = parts
  let recent = new Map<string, AddressCount>()
  let older: typeof recent = new Map()

  const get = (address: string) => {
    const count = recent.get(address) ?? older.get(address)
    // Ignore a window that ends too late: its start was read from a clock that was ahead.
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
      if (recent.size >= maxAddresses / 2 && !recent.has(address)) {
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
