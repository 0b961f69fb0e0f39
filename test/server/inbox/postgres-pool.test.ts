import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import type { Pool, PoolClient } from 'pg'
import { transact } from '../../../server/inbox/postgres/transact.ts'

const SECOND = 1000

/** A pool of one connection, which the test hands out. */
function createPool() {
  const connecting = Promise.withResolvers<PoolClient>()
  const release = jest.fn()
  const query = async () => ({ rows: [{ now: Date.now() }] })
  const client = Object.assign(new EventEmitter(), { release, query })
  return {
    pool: { connect: () => connecting.promise } as unknown as Pool,
    connect: () => connecting.resolve(client as unknown as PoolClient),
    release,
  }
}

const begin = (pool: Pool, work = async () => 'done') =>
  transact(pool, { deadline: Date.now() + SECOND, readOnly: false }, work)

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 4, 4, 12) }))
afterEach(() => jest.useRealTimers())

test.each([
  ['after the deadline', 0],
  ['after the deadline, when the clock was set back', -SECOND],
  ['in the millisecond of the deadline, by a timer that fires early', -1],
])('a connection that comes %s goes back to the pool', async (_, step) => {
  const { pool, connect, release } = createPool()
  const call = begin(pool)
  const failed = expect(call).rejects.toMatchObject({ reason: 'deadline' })
  await jest.advanceTimersByTimeAsync(SECOND)
  await failed
  jest.setSystemTime(Date.now() + step)
  connect()
  await jest.advanceTimersByTimeAsync(0)
  expect(release.mock.calls).toEqual([[]])
})

test('a connection that comes in time goes back once, when its work is done', async () => {
  const { pool, connect, release } = createPool()
  const call = begin(pool)
  connect()
  expect(await call).toBe('done')
  expect(release.mock.calls).toEqual([[]])
})
