import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { runCli } from '../../../server/inbox/cli.ts'
import { createStore, type StoreOptions } from '../../../server/inbox/create-store.ts'
import { keepMessage } from '../../../server/inbox/keep-message.ts'
import type { NewMessage } from '../../../server/inbox/message.ts'
import type { Store } from '../../../server/inbox/store.ts'
import { createMessage, NOON, PERIODS } from '../../support/inbox.ts'

/** A test's database; all stores that `open` returns use it. */
export interface Place {
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

export function createSqlitePlace() {
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

export function createPostgresPlace(url: string) {
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

/** Creates a new place for each test of the block; `beforeEach` fills the returned object. */
export function setUpPlace<Kind extends Place>(createPlace: () => Kind | Promise<Kind>): Kind {
  const place = {} as Kind
  beforeEach(async () => {
    Object.assign(place, await createPlace())
  })
  afterEach(() => place.close())
  return place
}

/** Opens a store for each test, with a clock that the test moves. */
export function setUpStore<Kind extends Place>(createPlace: () => Kind | Promise<Kind>) {
  const place = setUpPlace(createPlace)
  const clock = { time: NOON }
  const store = {} as Store
  const open = (options: StoreOptions = {}) => place.open({ now: () => clock.time, ...options })
  beforeEach(() => {
    clock.time = NOON
    Object.assign(store, open())
  })

  /** Keeps a message one millisecond after the previous one; resolves to its reference. */
  async function keep(change: Partial<NewMessage> = {}): Promise<string> {
    clock.time += 1
    const message = createMessage({ message: `Message of ${clock.time}`, ...change })
    return (await keepMessage(store, message)).reference
  }

  /** Runs the inbox command; resolves to its exit status and all that it prints. */
  async function run(...args: string[]): Promise<[status: number, text: string]> {
    const texts: string[] = []
    const write = (text: string) => void texts.push(text)
    const status = await runCli(args, {
      open: (create) => ({ store: open({ create }), periods: PERIODS }),
      write,
      writeError: write,
    })
    return [status, texts.join('')]
  }

  return { place, store, clock, open, keep, run }
}
