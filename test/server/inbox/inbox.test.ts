import { hash } from 'node:crypto'
import { jest } from '@jest/globals'
import type { Pool, PoolClient } from 'pg'
import { InboxUnavailable } from '../../../server/inbox/inbox-errors.ts'
import { createInboxFacade } from '../../../server/inbox/inbox-facade.ts'
import { hasContent, toRow } from '../../../server/inbox/message-row.ts'
import { inTransaction } from '../../../server/inbox/postgres/transaction.ts'
import { MIGRATIONS } from '../../../server/inbox/sqlite/connection.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { createStored, NOON, soon } from '../../support/inbox.ts'

afterEach(() => jest.useRealTimers())

/** An inbox over a store whose operations run `work`, and the lines of its log. */
function createFacade(work: (operation: string) => Promise<void>) {
  const { lines, log } = createLines()
  const store = {
    run: work,
    close: async () => {},
  }
  return { inbox: createInboxFacade(store, 'somewhere', { log }), lines }
}

test('an inbox that cannot be read is probed, once at a time, and the probe decides its state', async () => {
  jest.useFakeTimers()
  let outage: PromiseWithResolvers<never> | undefined
  let probes = 0
  const { inbox, lines } = createFacade(async (operation) => {
    if (!outage) return
    if (operation !== 'probe') throw new InboxUnavailable('cannot-open')
    probes += 1
    await outage.promise
  })
  await inbox.probe(soon())
  outage = Promise.withResolvers()
  for (let second = 0; second < 5; second += 1) {
    await expect(inbox.measure(soon())).rejects.toThrow('cannot-open')
    await jest.advanceTimersByTimeAsync(1000)
  }
  expect([probes, inbox.state()]).toEqual([1, 'open'])
  outage.reject(new InboxUnavailable('cannot-open', { cause: new TypeError('a value') }))
  await jest.advanceTimersByTimeAsync(1000)
  expect([probes, inbox.state()]).toEqual([2, 'unavailable'])
  outage = undefined
  await jest.advanceTimersByTimeAsync(1000)
  const explanation = expect.stringContaining('Check DATABASE_URL')
  const why = { place: 'somewhere', reason: 'cannot-open', explanation }
  const open = ['info', 'inbox open', { place: 'somewhere' }]
  expect(lines).toEqual([open, ['error', 'inbox unavailable', why], open])
  await inbox.close()
})

test('each cause of an outage is logged once, with what to do', async () => {
  const late = [{ reason: 'deadline' }, 'the load'] as const
  const login = [{ reason: 'cannot-open', code: '28P01' }, 'refuses the login'] as const
  const start = [{ reason: 'cannot-open', code: 'ECONNREFUSED' }, 'start PostgreSQL'] as const
  let error: InboxUnavailable | undefined
  const { inbox, lines } = createFacade(async () => {
    if (error) throw error
  })
  for (const outage of [[late, login, late, start, login], [late]]) {
    for (const [{ reason, ...code }] of outage) {
      error = new InboxUnavailable(reason, { cause: Object.assign(new Error('why'), code) })
      await expect(inbox.probe(soon())).rejects.toThrow(reason)
    }
    error = undefined
    await inbox.probe(soon())
  }
  const why = lines.flatMap(([level, , details]) => (level === 'info' ? [] : details))
  expect(why).toMatchObject(
    [late, login, start, late].map(([cause, advice]) => ({
      ...cause,
      explanation: expect.stringContaining(advice),
    })),
  )
  await inbox.close()
})

test('the stored hash names its version, so that a later column leaves it valid', () => {
  const row = toRow(createStored(), NOON)
  const { content_hash } = row
  expect(content_hash).toMatch(/^\d+:[0-9a-f]{64}$/)
  const later = { ...row, telephone: '613 555-0199', status: 'mailed' as const }
  expect(hasContent(later, content_hash)).toBe(true)
  expect(hasContent({ ...row, message: 'Another' }, content_hash)).toBe(false)
  expect(hasContent(row, content_hash.replace(/^\d+/, '99'))).toBe(false)
})

test('a message of the first version keeps its hash: a new field begins with a new version', () => {
  const sum = '222863f012ef545b43cc207c787ccfbeeedf7fc6a81d4f58ff930a88bf26383c'
  expect(hasContent(toRow(createStored(), NOON), `1:${sum}`)).toBe(true)
})

test('a published migration never changes: append a new one', () => {
  const sum = (sql: string) => hash('sha256', sql.replace(/ *--.*/g, '')).slice(0, 12)
  expect(MIGRATIONS.map(sum).slice(0, 2)).toEqual(['50d80f8405c2', '47701ddcbe25'])
})

test('a connection made after the deadline goes back to the pool, also by a clock that was set back', async () => {
  jest.useFakeTimers({ now: NOON })
  const connecting = Promise.withResolvers<PoolClient>()
  const pool = { connect: () => connecting.promise } as unknown as Pool
  const release = jest.fn()
  const closing = new Promise<void>(() => {})
  const options = { deadline: NOON + 1000, readOnly: false, closing }
  const late = expect(inTransaction(pool, options, async () => 'done')).rejects.toThrow('deadline')
  await jest.advanceTimersByTimeAsync(1000)
  await late
  jest.setSystemTime(NOON)
  connecting.resolve({ release } as unknown as PoolClient)
  await jest.advanceTimersByTimeAsync(0)
  expect(release.mock.calls).toEqual([[]])
})
