import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { createCli } from '../../../server/inbox/cli.ts'
import { createInbox } from '../../../server/inbox/create-inbox.ts'
import type { NewMessage } from '../../../server/inbox/inbox.ts'
import type { InboxOptions } from '../../../server/inbox/inbox-facade.ts'
import type { Scrubbing } from '../../../server/inbox/session.ts'
import type { PostgresServer } from '../../../tools/harness/postgres.ts'
import { createMessage, createTestInbox, NOON, type TestInbox } from '../../support/inbox.ts'

/** A test's store; all inboxes that `open` returns use this store. */
export interface Place {
  open(options?: InboxOptions): TestInbox
  /** Holds the store's write lock until the returned function is called. */
  lock(): Promise<() => Promise<void>>
  tamper(sql: string): Promise<void>
  read(sql: string): Promise<Record<string, unknown>[]>
  /** Expected result of `scrub`; it depends on the store. */
  scrubbing: Scrubbing
  /** SQL that makes the store look as if a newer build had written it. */
  newerBuild: string
  close(): Promise<void>
}

/** Prepares a store in a temporary folder. The inbox itself must create the subfolder `data`. */
export function createSqlitePlace() {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
  const path = join(folder, 'data', 'inbox.sqlite')
  const inboxes: TestInbox[] = []

  async function use<Value>(work: (foreigner: DatabaseSync) => Value): Promise<Value> {
    using foreigner = new DatabaseSync(path, { timeout: 5000 })
    return work(foreigner)
  }

  return {
    folder,
    path,
    open(options?: InboxOptions) {
      const inbox = createTestInbox(createInbox({ kind: 'sqlite', path }, options))
      inboxes.push(inbox)
      return inbox
    },
    async lock() {
      const foreigner = new DatabaseSync(path, { timeout: 5000 })
      foreigner.exec('BEGIN IMMEDIATE')
      return async () => foreigner.close()
    },
    tamper: (sql: string) => use((foreigner) => foreigner.exec(sql)),
    read: (sql: string) => use((foreigner) => foreigner.prepare(sql).all()),
    scrubbing: 'scrubbed' as const,
    newerBuild: 'PRAGMA user_version = 99',
    async close() {
      await Promise.all(inboxes.map((inbox) => inbox.close()))
      rmSync(folder, { recursive: true })
    },
  }
}

export async function createPostgresPlace(server: PostgresServer) {
  const url = await server.createDatabase()
  const inboxes: TestInbox[] = []

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
    open(options: InboxOptions & { url?: string; connectTimeoutMs?: number } = {}) {
      const { url: own = url, ...others } = options
      const inbox = createTestInbox(
        createInbox({ kind: 'postgres', url: own }, { connectTimeoutMs: 60_000, ...others }),
      )
      inboxes.push(inbox)
      return inbox
    },
    async lock() {
      const foreigner = await connect()
      await foreigner.query('BEGIN; LOCK TABLE messages, outbox, receipts, hits IN EXCLUSIVE MODE')
      return () => foreigner.end()
    },
    tamper: async (sql: string) => void (await read(sql)),
    read,
    scrubbing: 'unsupported' as const,
    newerBuild: 'UPDATE inbox_schema SET version = 99',
    async close() {
      await Promise.all(inboxes.map((inbox) => inbox.close()))
      await server.dropDatabase(url)
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

/** Opens a new inbox for each test: `beforeEach` fills the returned object. Tests may set the clock. */
export function setUpInbox(createPlace: () => Place | Promise<Place>) {
  const clock = { time: NOON }
  const place = setUpPlace(createPlace)
  const open = (options: InboxOptions = {}) => place.open({ now: () => clock.time, ...options })
  const inbox = {} as TestInbox
  beforeEach(() => {
    clock.time = NOON
    Object.assign(inbox, open())
  })

  /** Stores a message one millisecond after the previous one; resolves to its reference. */
  async function keep(change: Partial<NewMessage> = {}): Promise<string> {
    clock.time += 1
    const message = createMessage({ message: `Message of ${clock.time}`, ...change })
    return (await inbox.keep(message)).reference
  }

  async function countRows(table: string): Promise<number> {
    return (await place.read(`SELECT 1 FROM ${table}`)).length
  }

  return { place, inbox, clock, open, keep, countRows }
}

interface RunOptions {
  /** Makes standard error look like a terminal. */
  terminal?: boolean
  /** False: the reader of standard output has closed it. */
  isRead?: boolean
  now?: () => number
  env?: NodeJS.ProcessEnv
}

export async function runCommand(
  place: Place,
  args: string[],
  { terminal = false, isRead = true, now = () => NOON, env = {} }: RunOptions = {},
) {
  const refuse = (_chunk: unknown, _encoding: string, done: (error: Error) => void) =>
    done(Object.assign(new Error('closed'), { code: 'EPIPE' }))
  const stdout = new PassThrough(isRead ? {} : { transform: refuse })
  const stderr = Object.assign(new PassThrough(), { isTTY: terminal })
  const openInbox = (create: boolean) => place.open({ create, now }).plain
  const output = Promise.all([isRead ? buffer(stdout) : '', buffer(stderr)])
  const status = await createCli({ openInbox, env, stdout, stderr })(args)
  stdout.end()
  stderr.end()
  const [out, err] = await output
  return { status, out: String(out), err: String(err) }
}

/** Stores messages from NOON on, one each millisecond; resolves to their references. */
export async function keepMessages(
  place: Place,
  changes: Partial<NewMessage>[],
): Promise<string[]> {
  let time = NOON
  const inbox = place.open({ now: () => time })
  const references: string[] = []
  for (const [index, change] of changes.entries()) {
    const message = createMessage({ message: `Message ${index}`, ...change })
    references.push((await inbox.keep(message)).reference)
    time += 1
  }
  await inbox.close()
  return references
}
