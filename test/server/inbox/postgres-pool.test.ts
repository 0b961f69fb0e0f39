import { jest } from '@jest/globals'
import type { Pool, PoolClient } from 'pg'
import { transact } from '../../../server/inbox/postgres/transact.ts'

const SECOND = 1000

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 4, 4, 12) }))
afterEach(() => jest.useRealTimers())

test.each([
  ['after the deadline', 0],
  ['after the deadline, when the clock was set back', -SECOND],
  ['in the millisecond of the deadline, by a timer that fires early', -1],
])('a connection made %s goes back to the pool', async (_, step) => {
  const connecting = Promise.withResolvers<PoolClient>()
  const pool = { connect: () => connecting.promise } as unknown as Pool
  const release = jest.fn()
  const options = { deadline: Date.now() + SECOND, readOnly: false }
  const failed = expect(transact(pool, options, async () => 'done')).rejects.toMatchObject({
    reason: 'deadline',
  })
  await jest.advanceTimersByTimeAsync(SECOND)
  await failed
  jest.setSystemTime(Date.now() + step)
  connecting.resolve({ release } as unknown as PoolClient)
  await jest.advanceTimersByTimeAsync(0)
  expect(release.mock.calls).toEqual([[]])
})
