import type { Request, RequestHandler } from 'express'
import { Refusal } from '../errors.ts'
import { getAddressKey } from './address.ts'

/** This many addresses take about 12 MB for each limit, in each process. */
const MAX_ADDRESSES = 50_000

interface AddressLimitParts {
  count: number
  windowMinutes: number
  /** Current time in ms, by default from a monotonic clock. */
  now?: () => number
  maxAddresses?: number
}

/** If there are too many addresses, forgets the older half. Each process counts for itself. */
export function createAddressLimit(parts: AddressLimitParts) {
  const { now = () => performance.now(), maxAddresses = MAX_ADDRESSES } = parts
  let recent = new Map<string, { count: number; end: number }>()
  let older: typeof recent = new Map()

  const find = (address: string, time: number) => {
    const window = recent.get(address) ?? older.get(address)
    return window && window.end > time ? window : undefined
  }

  const gate: RequestHandler = (req, _res, next) => {
    const time = now()
    const window = find(getAddressKey(req), time)
    if (!window || window.count < parts.count) {
      next()
      return
    }
    const seconds = Math.ceil((window.end - time) / 1000)
    next(new Refusal('too-many-refusals', { headers: { 'Retry-After': String(seconds) } }))
  }

  const count = (req: Request): void => {
    const address = getAddressKey(req)
    const time = now()
    const window = find(address, time) ?? { count: 0, end: time + parts.windowMinutes * 60_000 }
    window.count += 1
    if (recent.size >= maxAddresses / 2 && !recent.has(address)) {
      older = recent
      recent = new Map()
    }
    recent.set(address, window)
  }

  return { gate, count }
}
