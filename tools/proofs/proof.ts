import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseUrl } from '../../server/config/database-url.ts'
import { readBatches } from '../../server/inbox/command/browse.ts'
import { createInbox } from '../../server/inbox/create-inbox.ts'
import type { Inbox } from '../../server/inbox/inbox.ts'
import type { createRandom } from '../harness/numbers.ts'
import { startPostgres } from '../harness/postgres.ts'
import { run, type SiteProcessOptions, startSiteProcess } from '../harness/process.ts'
import { CLI } from '../harness/project.ts'

/** Prints notes and claims, and counts the claims that fail. */
export function createReport() {
  let failures = 0
  const note = (text: string) => console.log(`  ${text}`)
  function claim(text: string, holds: boolean): void {
    if (!holds) failures += 1
    note(`${holds ? 'holds' : 'FAILS'}: ${text}`)
  }
  return {
    note,
    claim,
    claimNone: (text: string, faults: string[]) =>
      claim([text, faults.join(', ')].filter(Boolean).join(': '), faults.length === 0),
    finish(): number {
      console.log(failures === 0 ? 'proved' : `not proved: ${failures} claims failed`)
      return failures === 0 ? 0 : 1
    },
  }
}

export interface ProofOptions {
  random: ReturnType<typeof createRandom>
  report: ReturnType<typeof createReport>
  /** Number of rounds, messages, requests or minutes; the default depends on the proof. */
  count?: number
  /** Kinds of store, for proofs with a choice; the default depends on the proof. */
  stores?: string[]
  /** Origin of a running site, for `smoke`. */
  site?: string
}

export type Proof = (parts: ProofOptions) => Promise<void>

export function startProvedSite(database: string, options: SiteProcessOptions = {}) {
  const usual = { HOST: '127.0.0.1', TRUST_PROXY: '1', CONTACT_LIMIT: '1000000' }
  const environment = { ...usual, DATABASE_URL: database, ...options.environment }
  return startSiteProcess({ ...options, ignoreLog: !options.isKept, environment })
}

/** Runs the inbox command in its own process; rejects when it fails. */
export async function runInboxCommand(database: string, ...args: string[]): Promise<void> {
  const { status, stderr } = await run(process.execPath, [CLI, ...args], { DATABASE_URL: database })
  if (status !== 0) throw new Error(stderr)
}

export type StoreKind = 'sqlite' | 'postgres'

/**
 * Runs the work with each of these kinds of store, by default with both. `createStore` resolves to the DATABASE_URL of a
 * new store; SQLite's file is created later.
 */
export async function withStores(
  kinds: string[] = ['sqlite', 'postgres'],
  work: (kind: StoreKind, createStore: () => Promise<string>) => Promise<void>,
): Promise<void> {
  if (kinds.includes('sqlite')) {
    const folder = mkdtempSync(join(tmpdir(), 'prove-'))
    let count = 0
    const createStore = async () => `sqlite:${join(folder, String(++count), 'inbox.sqlite')}`
    await work('sqlite', createStore).finally(() => rmSync(folder, { recursive: true }))
  }
  if (kinds.includes('postgres')) {
    const server = await startPostgres()
    await work('postgres', server.createDatabase).finally(() => server.stop())
  }
}

export const farDeadline = () => Date.now() + 10 * 60 * 1000

/** Opens the inbox of a store in this process, for as long as the work runs. */
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

/** Claims that the store is sound and has each acknowledged message once; maps each stored text to its reference. */
export function claimKept(
  database: string,
  /** Maps the text of each message answered with 200 to the message's reference. */
  acknowledged: Map<string, string>,
  report: ProofOptions['report'],
): Promise<Map<string, string>> {
  return withInbox(database, async (inbox) => {
    const kept = new Map<string, string>()
    let count = 0
    for await (const batch of readBatches(inbox, { order: 'oldest-first' })) {
      for (const { message, reference } of batch) kept.set(message, reference)
      count += batch.length
    }
    const lost = [...acknowledged].filter(([message, reference]) => kept.get(message) !== reference)
    const faults = await inbox.findFaults(farDeadline())
    report.note(`${acknowledged.size} answered 200, ${count} kept`)
    const isWhole = lost.length === 0 && acknowledged.size > 0
    report.claim(`each message with a 200 is in the inbox: ${lost.length} lost`, isWhole)
    const again = count - kept.size
    report.claim(`each message is there exactly once: ${again} duplicates`, again === 0)
    const sound = `the database is sound, and each message has an outbox row: ${faults.length} faults`
    report.claim(sound, faults.length === 0)
    return kept
  })
}
