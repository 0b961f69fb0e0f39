import type { Request, RequestHandler } from 'express'
import { MemoryStore, type Options } from 'express-rate-limit'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal } from '../errors.ts'
import { addressKey } from '../requests/address.ts'

export interface RefusalLimit {
  /** Stops an address that has been refused too often. */
  gate: RequestHandler
  /** Counts a refusal, if it is one that counts. */
  count(req: Request, refusal: Refusal): Promise<void>
}

/** Bounds how often an address may be refused in a fixed window, in each process on its own. */
export function createRefusalLimit(limit: ContactLimit): RefusalLimit {
  const windowMs = limit.windowMinutes * 60_000
  const store = new MemoryStore()
  store.init({ windowMs } as Options)
  return {
    async gate(req, _res, next) {
      const client = await store.get(addressKey(req))
      if (!client || client.totalHits < limit.count) {
        next()
        return
      }
      const left = client.resetTime ? client.resetTime.getTime() - Date.now() : windowMs
      const headers = { 'Retry-After': String(Math.max(1, Math.ceil(left / 1000))) }
      next(new Refusal('too-many-refusals', { headers }))
    },
    async count(req, { status, code }) {
      if (status < 500 && code !== 'too-fast') await store.increment(addressKey(req))
    },
  }
}
