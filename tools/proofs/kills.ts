import { setTimeout as wait } from 'node:timers/promises'
import { postMessage } from '../harness/client.ts'
import { run } from '../harness/process.ts'
import { CLI } from '../harness/project.ts'
import { until } from '../harness/raw-client.ts'
import { claimStored, type Proof, startProvedSite, withStores } from './proof.ts'

const ROUNDS = 40
const CLIENTS = 32
const MIN_LIFE_MS = 50
const MAX_LIFE_MS = 1250

let texts = 0

async function postUntilGone(site: string, acknowledged: Map<string, string>): Promise<void> {
  for (;;) {
    const message = `Message number ${++texts} under fire`
    const url = texts % 10 === 0 ? 'https://spam.example' : ''
    const answer = await postMessage(site, { message, url }).catch(() => undefined)
    if (!answer) return
    if (answer.reference) acknowledged.set(message, answer.reference)
  }
}

/** Runs the inbox command as a process; resolves to its output, rejects when it fails. */
async function inbox(database: string, ...args: string[]): Promise<string> {
  const environment = { DATABASE_URL: database }
  const { status, stdout, stderr } = await run(process.execPath, [CLI, ...args], environment)
  if (status !== 0) throw new Error(`inbox ${args.join(' ')} failed: ${stdout}${stderr}`)
  return stdout
}

/** A killed server loses no message that it has acknowledged. */
export const prove: Proof = ({ report, count = ROUNDS, stores }) =>
  withStores(stores, async (kind, database) => {
    report.note(`${kind}: kill -9, ${count} times, under ${CLIENTS} clients`)
    const acknowledged = new Map<string, string>()
    for (let round = 0; round < count; round++) {
      const site = await startProvedSite(database)
      const before = acknowledged.size
      const clients = Array.from({ length: CLIENTS }, () => postUntilGone(site.url, acknowledged))
      // On a busy machine, the first answer may take longer than a life.
      await until(() => acknowledged.size > before)
      await wait(MIN_LIFE_MS + Math.random() * (MAX_LIFE_MS - MIN_LIFE_MS))
      await site.stop('SIGKILL')
      await Promise.all(clients)
    }
    claimStored(await inbox(database, 'export', '--format', 'jsonl'), acknowledged, report)
    report.claim(`the inbox is sound: ${await inbox(database, 'verify')}`, true)
  })
