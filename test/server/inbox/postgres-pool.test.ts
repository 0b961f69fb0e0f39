import { jest } from '@jest/globals'
import type { Pool, PoolClient } from 'pg'
import { transact } from '../../../server/inbox/postgres/transact.ts'

const SECOND = 1000

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 4, 4, 12) }))
afterEach(() => jest.useRealTimers())

test('a connection made after the deadline goes back to the pool, also by a clock that was set back', async () => {
  const connecting = Promise.withResolvers<PoolClient>()
  const pool = { connect: () => connecting.promise } as unknown as Pool
  const release = jest.fn()
  const options = {
    deadline: Date.now() + SECOND,
    readOnly: false,
    closing: new Promise<void>(() => {}),
  }
  const failed = expect(transact(pool, options, async () => 'done')).rejects.toMatchObject({
    reason: 'deadline',
  })
  await jest.advanceTimersByTimeAsync(SECOND)
  await failed
  jest.setSystemTime(Date.now() - SECOND)
  connecting.resolve({ release } as unknown as PoolClient)
  await jest.advanceTimersByTimeAsync(0)
  expect(release.mock.calls).toEqual([[]])
})
