import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databaseUrl } from '../../server/config/database-url.ts'
import { readBatches } from '../../server/inbox/command/browse.ts'
import { createInbox } from '../../server/inbox/create-inbox.ts'
import type { Inbox, Message } from '../../server/inbox/inbox.ts'
import { startPostgres } from '../harness/postgres.ts'
import { type SiteProcess, type SiteProcessOptions, startSiteProcess } from '../harness/process.ts'

export const CLI = join(import.meta.dirname, '../../server/inbox/cli.ts')

/** Starts the real program over this store, behind one proxy and with no limit of messages. */
export function startSite(
  database: string,
  { environment, ...options }: SiteProcessOptions = {},
): Promise<SiteProcess> {
  return startSiteProcess({
    ignoreLog: true,
    ...options,
    environment: {
      HOST: '127.0.0.1',
      DATABASE_URL: database,
      TRUST_PROXY: '1',
      CONTACT_LIMIT: '1000000',
      ...environment,
    },
  })
}

/** Runs the inbox command in a process of its own; rejects when it fails. */
export async function runInboxCommand(database: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: database }
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env })
  return stdout
}

export type StoreKind = 'sqlite' | 'postgres'

export interface Stores {
  /** Creates an empty store and resolves to its DATABASE_URL. */
  create(): Promise<string>
  close(): Promise<void>
}

async function startStores(kind: StoreKind): Promise<Stores> {
  if (kind === 'postgres') {
    const server = await startPostgres()
    return { create: () => server.createDatabase(), close: () => server.stop() }
  }
  const folder = mkdtempSync(join(tmpdir(), 'prove-'))
  let count = 0
  return {
    create: async () => `sqlite:${join(folder, String(++count), 'inbox.sqlite')}`,
    close: async () => rmSync(folder, { recursive: true }),
  }
}

/** Repeats the work with each kind of store, or with the kinds that are given. */
export async function withStores(
  kinds: string[],
  work: (kind: StoreKind, stores: Stores) => Promise<void>,
): Promise<void> {
  for (const kind of ['sqlite', 'postgres'] as const) {
    if (kinds.length > 0 && !kinds.includes(kind)) continue
    const stores = await startStores(kind)
    try {
      await work(kind, stores)
    } finally {
      await stores.close()
    }
  }
}

/** The kinds that are given, or SQLite alone. */
export const orSqlite = (kinds: string[]) => (kinds.length > 0 ? kinds : ['sqlite'])

/** A deadline in ten minutes. */
export const farDeadline = () => Date.now() + 10 * 60 * 1000

/** Opens an inbox beside the site while the work runs. */
export async function withInbox<Value>(
  database: string,
  work: (inbox: Inbox) => Promise<Value>,
): Promise<Value> {
  const inbox = createInbox(databaseUrl.parse(database))
  try {
    return await work(inbox)
  } finally {
    await inbox.close()
  }
}

export async function* listAll(inbox: Inbox): AsyncGenerator<Message> {
  for await (const page of readBatches(inbox, { order: 'oldest-first' })) {
    yield* page
  }
}
