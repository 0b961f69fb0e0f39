import type { Store } from './store.ts'

/**
 * Counts a message against the limit of its sender, or refuses it: then `totalHits` is above the limit, and nothing is
 * counted. `resetInMs` is the time until the oldest hit leaves the sliding window.
 */
export function takeSlot(
  store: Store,
  { address, limit, windowMs }: { address: string; limit: number; windowMs: number },
) {
  return store.transaction(async (db) => {
    await db.lock(`hit ${address}`)
    const [hits] = await db.query<{ count: number; oldest: number | null }>(
      'SELECT count(*) AS count, min(hit_at) AS oldest FROM hits WHERE address = $1 AND hit_at > $2',
      [address, db.now - windowMs],
    )
    const { count = 0, oldest } = hits ?? {}
    const resetInMs = (oldest ?? db.now) + windowMs - db.now
    if (count >= limit) return { totalHits: limit + 1, resetInMs }
    await db.change('INSERT INTO hits (address, hit_at) VALUES ($1, $2)', [address, db.now])
    return { totalHits: count + 1, resetInMs }
  })
}

/** Deletes the newest hit of a sender whose message was not kept. */
export async function giveBackSlot(store: Store, address: string): Promise<void> {
  const sql = 'DELETE FROM hits WHERE id = (SELECT max(id) FROM hits WHERE address = $1)'
  await store.transaction((db) => db.change(sql, [address]))
}
