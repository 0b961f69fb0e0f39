import { DatabaseSync } from 'node:sqlite'
import type { Operations } from '../../../server/inbox/operations.ts'
import { cancel, claim, createClaims } from '../../../server/inbox/sqlite/commit-flags.ts'
import { runBatch } from '../../../server/inbox/sqlite/group-commit.ts'
import { createInsert, insertNew } from '../../../server/inbox/sqlite/insert.ts'
import { MIGRATIONS, migrate } from '../../../server/inbox/sqlite/migrations.ts'
import { createOperations } from '../../../server/inbox/sqlite/operations.ts'
import type { Job } from '../../../server/inbox/sqlite/protocol.ts'
import { createMessage, HOUR, NOON, soon } from './messages.ts'

const LIMIT = { limit: 1000, windowMs: HOUR }

const keep = (message = createMessage()): Job => ({
  operation: 'submit',
  args: [message, LIMIT, NOON],
  deadline: soon(),
})

describe('a batch', () => {
  let database: DatabaseSync
  let operations: Operations

  beforeEach(() => {
    database = new DatabaseSync(':memory:')
    migrate(database)
    operations = createOperations(database)
  })
  afterEach(() => database.close())

  const listAll = () => operations.list({ limit: 10, order: 'newest-first' })
  const run = (
    jobs: Job[],
    claims = createClaims(jobs.length),
    changed: Partial<Operations> = {},
  ) => runBatch(database, { ...operations, ...changed }, { jobs, claims })

  test('answers every job in its place', () => {
    const find: Job = { operation: 'find', args: ['RG-22222-22222'], deadline: soon() }
    const outcomes = run([keep(), find, keep()])
    expect(outcomes).toMatchObject([
      { value: { receipt: { repeated: false } } },
      { value: undefined },
      { value: { receipt: { repeated: true } } },
    ])
  })

  test('leaves out what was given up or is late before it starts', () => {
    const claims = createClaims(2)
    cancel(claims, 0)
    const jobs = [keep(), { ...keep(), deadline: Date.now() }]
    expect(run(jobs, claims)).toEqual([{ fault: 'deadline' }, { fault: 'deadline' }])
    expect(listAll()).toEqual([])
  })

  test('undoes what is given up before the COMMIT, and does again what was built on it', () => {
    const claims = createClaims(2)
    const changed = {
      submit(...args: Parameters<Operations['submit']>) {
        const receipt = operations.submit(...args)
        cancel(claims, 0)
        return receipt
      },
    }
    const outcomes = run([keep(), keep()], claims, changed)
    expect(outcomes).toMatchObject([
      { fault: 'deadline' },
      { value: { count: 1, receipt: { repeated: false } } },
    ])
    expect(listAll()).toHaveLength(1)
    expect(cancel(claims, 1)).toBe(false)
  })

  test('undoes what is late by the time of the COMMIT', () => {
    const deadline = Date.now() + 20
    const changed = {
      submit(...args: Parameters<Operations['submit']>) {
        const receipt = operations.submit(...args)
        while (Date.now() < deadline);
        return receipt
      },
    }
    expect(run([{ ...keep(), deadline }], undefined, changed)).toEqual([{ fault: 'deadline' }])
    expect(listAll()).toEqual([])
  })

  test('undoes a failed job alone', () => {
    const changed = {
      markRead() {
        operations.submit(createMessage(), LIMIT, NOON)
        throw new Error('broken')
      },
    }
    const broken: Job = { operation: 'markRead', args: ['RG', NOON], deadline: soon() }
    const outcomes = run([broken, keep()], undefined, changed)
    expect(outcomes).toMatchObject([
      { error: 'broken' },
      { value: { receipt: { repeated: false } } },
    ])
    expect(listAll()).toHaveLength(1)
  })

  test('keeps nothing on a full disk, says so, and works again when there is space', () => {
    const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count)
    database.exec(`PRAGMA max_page_count = ${pages}`)
    const message = 'x'.repeat(2000)
    const jobs = Array.from({ length: 9 }, (_, n) =>
      keep(createMessage({ message, email: `${n}` })),
    )
    expect(run(jobs)).toEqual(jobs.map(() => ({ fault: 'full' })))
    expect(listAll()).toEqual([])
    database.exec('PRAGMA max_page_count = 1000')
    const kept = { count: 1, receipt: { repeated: false } }
    expect(run(jobs.slice(0, 1))).toMatchObject([{ value: kept }])
  })
})

test('a reference that is taken is drawn anew', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const drawn = ['RG-22222-22222', 'RG-22222-22222', 'RG-22222-22223']
  const draw = () => drawn.shift() ?? ''
  const insert = createInsert(database)
  const messages = ['First message', 'Second message'].map((message) => createMessage({ message }))
  const records = messages.map((message) => insertNew(insert, message, NOON, draw))
  expect(records.map(({ reference }) => reference)).toEqual(['RG-22222-22222', 'RG-22222-22223'])
  const kept = database.prepare('SELECT reference, message FROM messages ORDER BY 1').all()
  expect(kept).toEqual(records.map(({ reference, message }) => ({ reference, message })))
  database.close()
})

describe('a claim', () => {
  test('belongs to the first that takes it', () => {
    const claims = createClaims(3)
    expect([claim(claims, 0, soon()), cancel(claims, 0)]).toEqual([true, false])
    expect([cancel(claims, 1), claim(claims, 1, soon())]).toEqual([true, false])
    expect([claim(claims, 2, Date.now()), cancel(claims, 2)]).toEqual([false, true])
  })

  test('stays when its deadline passes', () => {
    const claims = createClaims(1)
    claim(claims, 0, soon())
    expect(claim(claims, 0, Date.now())).toBe(true)
  })
})

describe('migrations', () => {
  test('run once, in order, and undo a step that fails', () => {
    const database = new DatabaseSync(':memory:')
    const steps = ['CREATE TABLE a (x) STRICT', 'CREATE TABLE b (x); broken']
    const names = () =>
      database
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map(({ name }) => name)
    migrate(database, ['CREATE TABLE a (x)'])
    expect(() => migrate(database, ['CREATE TABLE a (x)', steps[1] as string])).toThrow('syntax')
    expect(names()).toEqual(['a'])
    migrate(database, ['CREATE TABLE a (x)', 'CREATE TABLE b (x)'])
    expect(names()).toEqual(['a', 'b'])
    expect(() => migrate(database, ['CREATE TABLE a (x)'])).toThrow('newer-build')
    database.close()
  })

  test('keep what an older build has kept, which is found by its mailbox', () => {
    const database = new DatabaseSync(':memory:')
    migrate(database, MIGRATIONS.slice(0, 1))
    database.exec(`INSERT INTO messages VALUES
      ('RG-22222-22222', 0, 'new', '', 'A', 'B', 'A@exemple.QUÉBEC', '', 'Text', 'fr', '', NULL)`)
    migrate(database)
    const operations = createOperations(database)
    expect(operations.find('RG-22222-22222')).toMatchObject({ email: 'A@exemple.QUÉBEC' })
    const { references } = operations.eraseEmail('a@exemple.xn--qubec-csa', 9, NOON)
    expect(references).toEqual(['RG-22222-22222'])
    database.close()
  })

  test('use strict tables only', () => {
    const database = new DatabaseSync(':memory:')
    migrate(database, MIGRATIONS)
    const query =
      "SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'"
    const tables = database.prepare(query).all()
    expect(tables.map(({ strict }) => strict)).toEqual(Array(7).fill(1))
    database.close()
  })
})
