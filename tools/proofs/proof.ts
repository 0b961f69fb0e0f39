import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  report: ReturnType<typeof createReport>
  /** Number of rounds; the default depends on the proof. */
  count?: number
  /** Kinds of store; both by default. */
  stores?: string[]
  /** Origin of a running site, for `smoke`. */
  site?: string
}

export type Proof = (options: ProofOptions) => Promise<void>

export function startProvedSite(database: string, options: SiteProcessOptions = {}) {
  const usual = { HOST: '127.0.0.1', TRUST_PROXY: '1', CONTACT_LIMIT: '1000000' }
  const environment = { ...usual, DATABASE_URL: database, ...options.environment }
  return startSiteProcess({ ignoreLog: true, ...options, environment })
}

/** Runs the inbox command in its own process; resolves to its output, rejects when it fails. */
export async function runInboxCommand(database: string, ...args: string[]): Promise<string> {
  const environment = { DATABASE_URL: database }
  const { status, stdout, stderr } = await run(process.execPath, [CLI, ...args], environment)
  if (status !== 0) throw new Error(`inbox ${args.join(' ')} failed: ${stdout}${stderr}`)
  return stdout
}

export type StoreKind = 'sqlite' | 'postgres'

/** Runs the work with a new store of each kind. */
export async function withStores(
  kinds: string[] = ['sqlite', 'postgres'],
  work: (kind: StoreKind, database: string) => Promise<void>,
): Promise<void> {
  if (kinds.includes('sqlite')) {
    const folder = mkdtempSync(join(tmpdir(), 'prove-'))
    const database = `sqlite:${join(folder, 'inbox.sqlite')}`
    await work('sqlite', database).finally(() => rmSync(folder, { recursive: true }))
  }
  if (kinds.includes('postgres')) {
    const server = await startPostgres()
    await work('postgres', await server.createDatabase()).finally(() => server.stop())
  }
}

/** Claims that the store is sound, and has each message that was answered with 200 exactly once. */
export async function claimKept(
  database: string,
  /** Maps the text of each message answered with 200 to its reference. */
  acknowledged: Map<string, string>,
  report: ProofOptions['report'],
): Promise<void> {
  const lines = (await runInboxCommand(database, 'export', '--format', 'jsonl')).trim().split('\n')
  const messages: { message: string; reference: string }[] = lines.map((line) => JSON.parse(line))
  const stored = new Map(messages.map(({ message, reference }) => [message, reference]))
  const lost = [...acknowledged].filter(([text, reference]) => stored.get(text) !== reference)
  const twice = messages.length - stored.size
  report.note(`${acknowledged.size} answered 200, ${messages.length} stored`)
  report.claim(`each message with a 200 is in the inbox: ${lost.length} lost`, lost.length === 0)
  report.claim(`each message is there exactly once: ${twice} twice`, twice === 0)
  report.claim(`the inbox is sound: ${await runInboxCommand(database, 'verify')}`, true)
}
