import type { Request, RequestHandler, Response } from 'express'
import { type Store as HitStore, type RateLimitInfo, rateLimit } from 'express-rate-limit'
import type { ContactLimit } from '../../shared/contact-limit.ts'
import { Refusal } from '../errors.ts'
import type { Store } from '../inbox/store.ts'
import { getNetwork } from '../requests/address.ts'

declare module 'express-serve-static-core' {
  interface Request {
    rateLimit?: RateLimitInfo
  }
}

const keyGenerator = (_req: Request, res: Response) => getNetwork(res.locals.address)

/** Counts in the inbox, so that restarts and other processes do not reset the limit. A refused message is not counted. */
export function createHitStore(store: Store, limit: number, windowMs: number): HitStore {
  return {
    increment: (network) =>
      store.transaction(async (db) => {
        await db.lock(`hit ${network}`)
        const [hits] = await db.query<{ count: number; oldest: number | null }>(
          'SELECT count(*) AS count, min(hit_at) AS oldest FROM hits WHERE address = $1 AND hit_at > $2',
          [network, db.now - windowMs],
        )
        const { count = 0, oldest } = hits ?? {}
        if (count < limit) {
          await db.change('INSERT INTO hits (address, hit_at) VALUES ($1, $2)', [network, db.now])
        }
        const resetInMs = (oldest ?? db.now) + windowMs - db.now
        return { totalHits: count + 1, resetTime: new Date(Date.now() + resetInMs) }
      }),
    async decrement(network) {
      const sql = 'DELETE FROM hits WHERE id = (SELECT max(id) FROM hits WHERE address = $1)'
      await store.transaction((db) => db.change(sql, [network]))
    },
    // express-rate-limit calls it only when an app asks for it.
    resetKey() {},
  }
}

/** Counts every valid message of a network, and refuses those above the limit: two an hour, unless the environment says otherwise. */
export function createMessageLimit(store: Store, { count, windowMinutes }: ContactLimit) {
  const windowMs = windowMinutes * 60_000
  const hits = createHitStore(store, count, windowMs)
  const limit: RequestHandler = rateLimit({
    windowMs,
    limit: count,
    keyGenerator,
    store: hits,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler(req, _res, next) {
      const waitMs = Number(req.rateLimit?.resetTime ?? 0) - Date.now()
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
      next(new Refusal('limit-reached', { retryAfterSeconds }))
    },
  })
  /** Deletes the hit of a message that could not be stored. */
  async function giveBackHit(req: Request, res: Response): Promise<void> {
    try {
      await hits.decrement(keyGenerator(req, res))
    } catch (err) {
      req.log.warn({ err }, 'a message was not stored, but counts until its window ends')
    }
  }
  return { limit, giveBackHit }
}
