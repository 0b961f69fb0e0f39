import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Kind, perform, type Store } from '../../../server/inbox/operations/index.ts'
import { find, list } from '../../../server/inbox/operations/messages.ts'
import { submit } from '../../../server/inbox/operations/submit.ts'
import { probe } from '../../../server/inbox/operations/upkeep.ts'
import type { Session } from '../../../server/inbox/session.ts'
import { MIGRATIONS, migrate } from '../../../server/inbox/sqlite/connection.ts'
import { createSqliteStore } from '../../../server/inbox/sqlite/store.ts'
import { createFolder } from '../../support/folders.ts'
import { createMessage, HOUR_MS, NOON, soon } from '../../support/inbox.ts'

const LIMIT = { limit: 1000, windowMs: HOUR_MS }

describe('a batch', () => {
  const folder = createFolder()
  type Work = (session: Session) => Promise<unknown>
  let store: Store
  let files = 0
  beforeEach(() => {
    files += 1
    const options = { path: join(folder, `${files}.sqlite`), create: true }
    store = createSqliteStore(options, (name, session, args) =>
      typeof args[0] === 'function' ? args[0](session) : perform(name, session, args),
    )
  })
  afterEach(() => store.close())

  const NAMES = { read: 'find', write: 'probe', bare: 'scrub' } as const
  const run = (kind: Kind, work: Work, deadline = soon()) =>
    store.run(NAMES[kind], [work], { deadline, now: NOON })
  const keep = (message = createMessage(), deadline?: number) =>
    run('write', (session) => submit(session, message, LIMIT), deadline)
  const listAll = () =>
    run('read', (session) => list(session, { limit: 10, order: 'newest-first' }))
  const pragma = (name: string, value = '') =>
    run('bare', (session) => session.query(`PRAGMA ${name} ${value}`))
  const kept = { hits: { count: 1 }, receipt: { outcome: 'accepted' } }

  test('answers every call, and keeps the others when one fails', async () => {
    await pragma('user_version')
    const fail = async (session: Session) => {
      await submit(session, createMessage(), LIMIT)
      throw new Error('broken')
    }
    const calls = [run('write', fail), keep(), run('read', (each) => find(each, 'RG')), keep()]
    expect(await Promise.allSettled(calls)).toMatchObject([
      { reason: new Error('broken') },
      { value: kept },
      { value: undefined },
      { value: { hits: { count: 2 }, receipt: { outcome: 'replayed' } } },
    ])
    expect(await listAll()).toHaveLength(1)
  })

  test('undoes a call that is late by the time of the COMMIT, and repeats those built on it', async () => {
    await pragma('user_version')
    const deadline = Date.now() + 200
    const late = async (session: Session) => {
      await submit(session, createMessage(), LIMIT)
      while (Date.now() < deadline);
    }
    const calls = [run('write', late, deadline), keep()]
    expect(await Promise.allSettled(calls)).toMatchObject([
      { reason: { reason: 'deadline' } },
      { value: kept },
    ])
    expect(await listAll()).toHaveLength(1)
  })

  test('keeps nothing on a full disk, and works again when there is space', async () => {
    const rows = await pragma('page_count')
    const pages = (rows as { page_count: number }[])[0]?.page_count ?? 0
    const message = 'x'.repeat(2000)
    const messages = Array.from({ length: 9 }, (_, n) => createMessage({ message, email: `${n}` }))
    const limited = pragma('max_page_count', `= ${pages}`)
    const outcomes = await Promise.allSettled(messages.map((each) => keep(each)))
    await limited
    expect(outcomes).toMatchObject(messages.map(() => ({ reason: { reason: 'full' } })))
    expect(await listAll()).toEqual([])
    // Four pages are free, but the probe writes 64 KiB, so a nearly full disk also counts as full.
    await pragma('max_page_count', `= ${pages + 4}`)
    await expect(run('write', probe)).rejects.toMatchObject({ reason: 'full' })
    await pragma('max_page_count', `= ${pages + 99}`)
    await run('write', probe)
    expect(await keep(messages[0])).toMatchObject(kept)
  })
})

test('migrations run once, in order, and a step that fails is undone', async () => {
  using database = new DatabaseSync(':memory:')
  const [one, two] = ['CREATE TABLE a (x)', 'CREATE TABLE b (x)']
  const listTables = () => database.prepare('SELECT name FROM sqlite_schema').all()
  await migrate(database, [one])
  await expect(migrate(database, [one, `${two}; broken`])).rejects.toThrow('syntax')
  expect(listTables()).toEqual([{ name: 'a' }])
  await migrate(database, [one, two])
  expect(listTables()).toEqual([{ name: 'a' }, { name: 'b' }])
})

test('a daily letter of an older build still reports messages until the same time', async () => {
  using database = new DatabaseSync(':memory:')
  await migrate(database, MIGRATIONS.slice(0, 1))
  database.exec("INSERT INTO outbox (id, queued_at, attempts) VALUES ('2026-05-04', 5, 1)")
  await migrate(database)
  expect(database.prepare('SELECT reported_until FROM outbox').all()).toEqual([
    { reported_until: 5 },
  ])
})
