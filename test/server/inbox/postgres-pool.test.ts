import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import type { Pool, PoolClient } from 'pg'
import { createPostgresInbox } from '../../../server/inbox/create-inbox.ts'
import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { transact } from '../../../server/inbox/postgres/transact.ts'
import { soon } from '../../support/inbox.ts'

const SECOND = 1000

/** A pool with one connection; the connection is ready when the test calls `connect`. */
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

describe('with fake timers', () => {
  beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 4, 4, 12) }))
  afterEach(() => jest.useRealTimers())

  test.each([
    ['after the deadline', 0],
    ['after the deadline, when the clock was set back', -SECOND],
    ['in the millisecond of the deadline, by a timer that fires early', -1],
  ])('a connection made %s goes back to the pool', async (_, step) => {
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

  test('a connection made in time goes back once, when its work is done', async () => {
    const { pool, connect, release } = createPool()
    const call = begin(pool)
    connect()
    expect(await call).toBe('done')
    expect(release.mock.calls).toEqual([[]])
  })
})

test.each(['sslrootcert', 'sslcert', 'sslkey'])(
  'a database whose %s cannot be read is unavailable, not an internal error',
  async (name) => {
    const url = `postgres://site@127.0.0.1:9/inbox?${name}=/no/such/file`
    const inbox = createPostgresInbox({ url })
    const failed = inbox.open(soon()).catch((error) => error)
    expect(await failed).toBeInstanceOf(InboxUnavailable)
    expect(await failed).toMatchObject({ reason: 'cannot-open', cause: { code: 'ENOENT' } })
    await inbox.close()
  },
)
