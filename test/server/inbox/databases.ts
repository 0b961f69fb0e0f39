import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DatabaseTarget } from '../../../server/config.ts'
import { keepMessage } from '../../../server/inbox/keep-message.ts'
import type { NewMessage } from '../../../server/inbox/message.ts'
import type { Store } from '../../../server/inbox/store.ts'
import { createStore, type StoreOptions } from '../../../server/inbox/store.ts'
import { createMessage, NOON, runInbox } from '../../support/inbox.ts'

/** A test's database; all stores that `open` returns use it. */
export interface TestDatabase {
  target: DatabaseTarget
  open(options?: StoreOptions): Store
  /** Holds the write lock until the returned function is called. */
  lock(): Promise<() => Promise<void>>
  read(sql: string): Promise<Record<string, unknown>[]>
  /** Runs several statements, without a store. */
  tamper(sql: string): Promise<void>
  close(): Promise<void>
}

/** No store misses it, even on a busy machine. */
const PATIENT = { timeoutMs: 60_000 }

function closeAll(stores: Store[]): Promise<unknown> {
  return Promise.all(stores.splice(0).map((store) => store.close()))
}

export function createTestSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
  const path = join(folder, 'data', 'inbox.sqlite')
  const stores: Store[] = []

  async function use<Value>(work: (foreigner: DatabaseSync) => Value): Promise<Value> {
    using foreigner = new DatabaseSync(path, { timeout: 5000 })
    return work(foreigner)
  }

  return {
    folder,
    path,
    target: { kind: 'sqlite', path } as const,
    open(options?: StoreOptions) {
      const store = createStore({ kind: 'sqlite', path }, { ...PATIENT, ...options })
      stores.push(store)
      return store
    },
    async lock() {
      const foreigner = new DatabaseSync(path, { timeout: 5000 })
      foreigner.exec('BEGIN IMMEDIATE')
      return async () => foreigner.close()
    },
    read: (sql: string) => use((foreigner) => foreigner.prepare(sql).all()),
    tamper(sql: string) {
      mkdirSync(dirname(path), { recursive: true })
      return use((foreigner) => foreigner.exec(sql))
    },
    async close() {
      await closeAll(stores)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function createTestPostgres(url: string) {
  const stores: Store[] = []

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return client
  }

  async function read(sql: string) {
    const foreigner = await connect()
    const { rows } = await foreigner.query(sql)
    await foreigner.end()
    return rows
  }

  return {
    url,
    target: { kind: 'postgres', url } as const,
    open(options: StoreOptions & { url?: string } = {}) {
      const { url: own = url, ...others } = options
      const store = createStore({ kind: 'postgres', url: own }, { ...PATIENT, ...others })
      stores.push(store)
      return store
    },
    async lock() {
      const foreigner = await connect()
      await foreigner.query('BEGIN; LOCK TABLE messages, outbox, receipts, hits IN EXCLUSIVE MODE')
      return () => foreigner.end()
    },
    read,
    tamper: async (sql: string) => void (await read(sql)),
    async close() {
      await closeAll(stores)
      // Much faster than a new database for each test.
      await read('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    },
  }
}

/** Creates a database and opens a store for each test of the block, with a clock that the test moves. */
export function setUpStore<Kind extends TestDatabase>(createDatabase: () => Kind | Promise<Kind>) {
  const database = {} as Kind
  const clock = { time: NOON }
  const store = {} as Store
  /** A test sets the folder. */
  const backups: { folder?: string } = {}
  const open = (options: StoreOptions = {}) => database.open({ now: () => clock.time, ...options })
  beforeEach(async () => {
    backups.folder = undefined
    clock.time = NOON
    Object.assign(database, await createDatabase())
    Object.assign(store, open())
  })
  afterEach(() => database.close())

  /** Keeps a message one millisecond after the previous one; resolves to its reference. */
  async function keep(change: Partial<NewMessage> = {}): Promise<string> {
    clock.time += 1
    const message = createMessage({ message: `Message of ${clock.time}`, ...change })
    return (await keepMessage(store, message)).reference
  }

  const run = (...args: string[]) =>
    runInbox(
      { open: (create) => open({ create }), database: database.target, folder: backups.folder },
      ...args,
    )

  return { database, store, clock, backups, open, keep, run }
}
