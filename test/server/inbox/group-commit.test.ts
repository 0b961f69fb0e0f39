import { DatabaseSync } from 'node:sqlite'
import * as FUNCTIONS from '../../../server/inbox/operations/index.ts'
import { list } from '../../../server/inbox/operations/messages.ts'
import { insertNew } from '../../../server/inbox/operations/submit.ts'
import { perform } from '../../../server/inbox/operations.ts'
import type { Session } from '../../../server/inbox/session.ts'
import { runBatch } from '../../../server/inbox/sqlite/group-commit.ts'
import { migrate } from '../../../server/inbox/sqlite/migrate.ts'
import type { Job } from '../../../server/inbox/sqlite/protocol.ts'
import { createSessions } from '../../../server/inbox/sqlite/session.ts'
import { createMessage, HOUR_MS, NOON, soon } from '../../support/inbox.ts'

const LIMIT = { limit: 1000, windowMs: HOUR_MS }

const keep = (message = createMessage()): Job<'submit'> => ({
  name: 'submit',
  args: [message, LIMIT],
  now: NOON,
  deadline: soon(),
})

let database: DatabaseSync
let session: Session
beforeEach(async () => {
  database = new DatabaseSync(':memory:')
  await migrate(database)
  session = createSessions(database)(NOON)
})
afterEach(() => database.close())

describe('a batch', () => {
  const listAll = () => list(session, { limit: 10, order: 'newest-first' })
  const runJob = ({ name, args }: Job) => perform(FUNCTIONS, name, session, args)
  const run = (jobs: Job[], run = runJob) => runBatch(database, jobs, run)

  test('answers every job in its place', async () => {
    const args: [string] = ['RG-22222-22222']
    const find: Job = { name: 'find', args, now: NOON, deadline: soon() }
    const outcomes = await run([keep(), find, keep()])
    expect(outcomes).toMatchObject([
      { value: { receipt: { repeated: false } } },
      { value: undefined },
      { value: { receipt: { repeated: true } } },
    ])
  })

  test('leaves out jobs that are late before it starts', async () => {
    expect(await run([{ ...keep(), deadline: Date.now() }])).toEqual([{ reason: 'deadline' }])
    expect(await listAll()).toEqual([])
  })

  test('undoes a job that is late by the time of the COMMIT, and repeats those built on it', async () => {
    const late = { ...keep(), deadline: Date.now() + 20 }
    const outcomes = await run([late, keep()], async (job) => {
      const value = await runJob(job)
      while (Date.now() < late.deadline);
      return value
    })
    expect(outcomes).toMatchObject([
      { reason: 'deadline' },
      { value: { count: 1, receipt: { repeated: false } } },
    ])
    expect(await listAll()).toHaveLength(1)
  })

  test('undoes a failed job alone', async () => {
    const broken: Job = { name: 'archive', args: ['RG'], now: NOON, deadline: soon() }
    const outcomes = await run([broken, keep()], async (job) => {
      const value = await runJob(job === broken ? keep() : job)
      if (job === broken) throw new Error('broken')
      return value
    })
    expect(outcomes).toMatchObject([
      { error: 'broken' },
      { value: { receipt: { repeated: false } } },
    ])
    expect(await listAll()).toHaveLength(1)
  })

  test('keeps nothing on a full disk, and works again when there is space', async () => {
    const probe: Job<'probe'> = { name: 'probe', args: [], now: NOON, deadline: soon() }
    const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count)
    database.exec(`PRAGMA max_page_count = ${pages}`)
    const message = 'x'.repeat(2000)
    const jobs = Array.from({ length: 9 }, (_, n) =>
      keep(createMessage({ message, email: `${n}` })),
    )
    expect(await run(jobs)).toEqual(jobs.map(() => ({ reason: 'full' })))
    expect(await listAll()).toEqual([])
    // Four pages are free, but the probe writes 64 KiB, so a nearly full disk also counts as full.
    database.exec(`PRAGMA max_page_count = ${pages + 4}`)
    expect(await run([probe])).toEqual([{ reason: 'full' }])
    database.exec('PRAGMA max_page_count = 1000')
    expect(await run([probe])).toEqual([{ value: undefined }])
    const kept = { count: 1, receipt: { repeated: false } }
    expect(await run(jobs.slice(0, 1))).toMatchObject([{ value: kept }])
  })
})

test('a reference that is taken is drawn again', async () => {
  const drawn = ['RG-22222-22222', 'RG-22222-22222', 'RG-22222-22223']
  const draw = () => drawn.shift() ?? ''
  for (const message of ['First message', 'Second message']) {
    await insertNew(session, createMessage({ message }), draw)
  }
  const kept = database.prepare('SELECT reference, message FROM messages ORDER BY 1').all()
  expect(kept).toEqual([
    { reference: 'RG-22222-22222', message: 'First message' },
    { reference: 'RG-22222-22223', message: 'Second message' },
  ])
})

describe('migrations', () => {
  test('run once, in order, and undo a step that fails', async () => {
    const empty = new DatabaseSync(':memory:')
    const [one, two] = ['CREATE TABLE a (x)', 'CREATE TABLE b (x)']
    const listTables = () => empty.prepare('SELECT name FROM sqlite_schema').all()
    await migrate(empty, [one])
    await expect(migrate(empty, [one, `${two}; broken`])).rejects.toThrow('syntax')
    expect(listTables()).toEqual([{ name: 'a' }])
    await migrate(empty, [one, two])
    expect(listTables()).toEqual([{ name: 'a' }, { name: 'b' }])
    await expect(migrate(empty, [one])).rejects.toThrow('newer-build')
    empty.close()
  })

  test('use strict tables only', () => {
    const query =
      "SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'"
    expect(database.prepare(query).all()).toEqual(Array(6).fill({ strict: 1 }))
  })
})
