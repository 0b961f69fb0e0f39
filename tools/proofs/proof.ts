import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../harness/postgres.ts'
import { startSiteProcess } from '../harness/process.ts'

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
    finish(): number {
      console.log(failures === 0 ? 'proved' : `not proved: ${failures} claims failed`)
      return failures === 0 ? 0 : 1
    },
  }
}

interface ProofOptions {
  report: ReturnType<typeof createReport>
  /** Number of rounds; the default depends on the proof. */
  count?: number
  /** Kinds of store; both by default. */
  stores?: string[]
  /** Origin of a running site, for `smoke`. */
  site?: string
}

export type Proof = (options: ProofOptions) => Promise<void>

export function startProvedSite(database: string) {
  const usual = { HOST: '127.0.0.1', TRUST_PROXY: '1', CONTACT_LIMIT: '1000000' }
  return startSiteProcess({ ignoreLog: true, environment: { ...usual, DATABASE_URL: database } })
}

/** Runs the work with a new store of each kind. */
export async function withStores(
  kinds: string[] = ['sqlite', 'postgres'],
  work: (kind: string, database: string) => Promise<void>,
): Promise<void> {
  if (kinds.includes('sqlite')) {
    const folder = mkdtempSync(join(tmpdir(), 'prove-'))
    const database = `sqlite:${join(folder, 'inbox.sqlite')}`
    await work('sqlite', database).finally(() => rmSync(folder, { recursive: true }))
  }
  if (kinds.includes('postgres')) {
    const server = await startPostgres()
    await work('postgres', server.url).finally(() => server.stop())
  }
}

/** Claims that an export has each message that was answered with 200 exactly once; returns the references by text. */
export function claimStored(
  exported: string,
  /** Maps the text of each message answered with 200 to its reference. */
  acknowledged: Map<string, string>,
  report: ProofOptions['report'],
): Map<string, string> {
  const messages: { message: string; reference: string }[] = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const stored = new Map(messages.map(({ message, reference }) => [message, reference]))
  const lost = [...acknowledged].filter(([text, reference]) => stored.get(text) !== reference)
  const twice = messages.length - stored.size
  report.note(`${acknowledged.size} answered 200, ${messages.length} stored`)
  report.claim(
    `each message with a 200 is in the inbox: ${lost.length} lost`,
    lost.length === 0 && acknowledged.size > 0,
  )
  report.claim(`each message is there exactly once: ${twice} twice`, twice === 0)
  return stored
}
