import type { Inbox, Message } from '../../server/inbox/inbox.ts'
import { createReference } from '../../server/inbox/message.ts'
import { mapFields } from '../../shared/contact-fields.ts'
import { postMessage } from '../harness/client.ts'
import { quantile } from '../harness/numbers.ts'
import { run } from '../harness/process.ts'
import { CLI } from '../harness/project.ts'
import {
  farDeadline,
  type Proof,
  runInboxCommand,
  startProvedSite,
  withInbox,
  withStores,
} from './proof.ts'

const MESSAGES = 1_000_000
const CHUNK = 5000
const POSTS = 1500
const WARM_UP = 200
const RUNS = 5
const MAX_SLOWDOWN = 1.3
const MAX_LIST_MS = 1000
const EXPORT_HEAP_MIB = 64
const SPREAD_MS = 700 * 24 * 60 * 60 * 1000

async function fill(inbox: Inbox, count: number, random: () => number): Promise<void> {
  const end = Date.now()
  const create = (): Message => ({
    reference: createReference(),
    receivedAt: new Date(end - Math.floor(random() * SPREAD_MS)).toISOString(),
    status: random() < 0.9 ? 'mailed' : 'archived',
    ...mapFields(() => 'Zoé'),
    email: `zoe.${Math.floor(random() * count)}@exemple.ca`,
    service: '',
    message: 'Une preuve, rien de plus. '.repeat(1 + Math.floor(random() * 20)),
    language: 'fr',
    trapped: [],
  })
  for (let done = 0; done < count; done += CHUNK) {
    const chunk = Array.from({ length: Math.min(CHUNK, count - done) }, create)
    await inbox.importMessages(farDeadline(), chunk)
  }
}

/** Posts in turn, so that other load affects each site equally. Resolves to medians in ms. */
async function compare(sites: { url: string }[], posts: number): Promise<number[]> {
  const durations = sites.map(() => [] as number[])
  for (let count = 0; count < posts + WARM_UP; count++) {
    for (const [index, site] of sites.entries()) {
      const message = `Post number ${count}`
      const { status, duration } = await postMessage(site.url, { message })
      if (status !== 200) throw new Error(`POST /api/contact returned ${status}, not 200`)
      if (count >= WARM_UP) durations[index]?.push(duration)
    }
  }
  return durations.map((each) => quantile(each, 0.5))
}

/** The median duration of several runs, in ms. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now()
    await work()
    durations.push(performance.now() - start)
  }
  return quantile(durations, 0.5)
}

/** Exports to a pipe with a heap too small for all messages; resolves to the number of lines. */
async function countExported(database: string): Promise<number> {
  const NODE_OPTIONS = `--max-old-space-size=${EXPORT_HEAP_MIB}`
  const environment = { DATABASE_URL: database, NODE_OPTIONS }
  const command = `"${process.execPath}" "${CLI}" export --format jsonl | wc -l`
  return Number((await run('sh', ['-c', command], environment)).stdout)
}

/** A large inbox hardly slows down the form, and the inbox command still works. */
export const prove: Proof = ({ random, report, count = MESSAGES, stores: kinds }) =>
  withStores(kinds, async (kind, createStore) => {
    const [empty, full] = [await createStore(), await createStore()]
    await withInbox(full, (inbox) => fill(inbox, count, random))
    report.note(`${kind}: ${count} messages`)

    const sites = await Promise.all([empty, full].map((url) => startProvedSite(url)))
    const [atEmpty = Number.NaN, atFull = Number.NaN] = await compare(sites, POSTS)
    for (const site of sites) await site.stop('SIGKILL')
    const ratio = atFull / atEmpty
    const medians = `${atEmpty.toFixed(2)} ms empty, ${atFull.toFixed(2)} ms full`
    report.claim(`a post: ${medians}, ${ratio.toFixed(2)} times`, ratio <= MAX_SLOWDOWN)

    for (const args of [['list'], ['list', '--status', 'new']]) {
      const duration = await time(() => runInboxCommand(full, ...args))
      report.claim(`${args.join(' ')}: ${duration.toFixed(0)} ms`, duration < MAX_LIST_MS)
    }

    const lines = await countExported(full)
    const expected = count + POSTS + WARM_UP
    const exported = `${lines} lines of ${expected}`
    report.claim(`export with a heap of ${EXPORT_HEAP_MIB} MiB: ${exported}`, lines === expected)
  })
