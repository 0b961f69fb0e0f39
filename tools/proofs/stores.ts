import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseUrl } from '../../server/config/database-url.ts'
import { createInbox } from '../../server/inbox/create-inbox.ts'
import type { Inbox, Message } from '../../server/inbox/inbox.ts'
import { readPages } from '../../server/inbox/paginate-messages.ts'
import { startPostgres } from '../harness/postgres.ts'

export type StoreKind = 'sqlite' | 'postgres'

export interface Stores {
  /** Makes an empty store and tells its DATABASE_URL. */
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

/** Does the same with every kind of store, or with those that are asked for. */
export async function withStores(
  asked: string[],
  work: (kind: StoreKind, stores: Stores) => Promise<void>,
): Promise<void> {
  for (const kind of ['sqlite', 'postgres'] as const) {
    if (asked.length > 0 && !asked.includes(kind)) continue
    const stores = await startStores(kind)
    try {
      await work(kind, stores)
    } finally {
      await stores.close()
    }
  }
}

export const patiently = () => Date.now() + 10 * 60 * 1000

/** Opens an inbox beside the site, for as long as the work takes. */
export async function withInbox<Value>(
  url: string,
  work: (inbox: Inbox) => Promise<Value>,
): Promise<Value> {
  const inbox = createInbox(databaseUrl.parse(url))
  try {
    return await work(inbox)
  } finally {
    await inbox.close()
  }
}

export async function* listAll(inbox: Inbox): AsyncGenerator<Message> {
  for await (const page of readPages(inbox, { order: 'oldest-first', patience: 60_000 })) {
    yield* page
  }
}
