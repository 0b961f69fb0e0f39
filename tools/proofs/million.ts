import { once } from 'node:events'
import type { Inbox, Message } from '../../server/inbox/inbox.ts'
import { createReference } from '../../server/inbox/message.ts'
import { postMessage } from '../harness/client.ts'
import { quantile } from '../harness/numbers.ts'
import { readMemory, startNode } from '../harness/process.ts'
import {
  CLI,
  farDeadline,
  type Proof,
  runInboxCommand,
  startSite,
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
const MAX_GROWTH = 1.3
const SAMPLE_INTERVAL_MS = 50
const SPREAD_MS = 700 * 24 * 60 * 60 * 1000

async function fill(inbox: Inbox, count: number, random: () => number): Promise<void> {
  const end = Date.now()
  const create = (): Message => ({
    reference: createReference(),
    receivedAt: new Date(end - Math.floor(random() * SPREAD_MS)).toISOString(),
    status: random() < 0.9 ? 'mailed' : 'archived',
    firstName: 'Zoé',
    lastName: 'Preuve',
    email: `zoe.${Math.floor(random() * count)}@exemple.ca`,
    service: '',
    message: 'Une preuve, rien de plus. '.repeat(1 + Math.floor(random() * 20)),
    language: 'fr',
    trapped: [],
  })
  for (let done = 0; done < count; done += CHUNK) {
    const chunk = Array.from({ length: Math.min(CHUNK, count - done) }, create)
    await inbox.importMessages(chunk, farDeadline())
  }
}

/** Posts to the sites in turn, so that other load affects both alike; resolves to their median durations in ms. */
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

/** The median duration of some runs, in ms. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now()
    await work()
    durations.push(performance.now() - start)
  }
  return quantile(durations, 0.5)
}

/** Runs an export and discards its output; resolves to its number of lines and its memory, as samples in MiB. */
async function watchExport(database: string): Promise<{ lines: number; memory: number[] }> {
  const child = startNode([CLI, 'export', '--format', 'jsonl'], {
    env: { PATH: process.env.PATH, DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const memory: number[] = []
  const sample = setInterval(() => {
    const resident = readMemory(child)
    if (resident) memory.push(resident)
  }, SAMPLE_INTERVAL_MS)
  child.once('exit', () => clearInterval(sample))
  let lines = 0
  for await (const chunk of child.stdout ?? []) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  await exited
  return { lines, memory }
}

/** A large inbox does not slow down the form; it slows down the inbox command only a little. */
export const prove: Proof = ({ random, report, count = MESSAGES, stores: kinds }) =>
  withStores(kinds, async (kind, stores) => {
    const [empty, full] = [await stores.create(), await stores.create()]
    const began = performance.now()
    await withInbox(full, (inbox) => fill(inbox, count, random))
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    report.note(`${kind}: ${count} messages, created in ${seconds} s`)

    const sites = await Promise.all([empty, full].map((url) => startSite(url)))
    const [atEmpty = Number.NaN, atFull = Number.NaN] = await compare(sites, POSTS)
    for (const site of sites) await site.stop('SIGKILL')
    const ratio = atFull / atEmpty
    const medians = `${atEmpty.toFixed(2)} ms empty, ${atFull.toFixed(2)} ms full`
    report.claim(`a post: ${medians}, ${ratio.toFixed(2)} times`, ratio <= MAX_SLOWDOWN)

    for (const args of [['list'], ['list', '--status', 'new']]) {
      const duration = await time(() => runInboxCommand(full, ...args))
      report.claim(`${args.join(' ')}: ${duration.toFixed(0)} ms`, duration < MAX_LIST_MS)
    }
    const start = await time(() => runInboxCommand(full, '--help'))
    report.note(`the start of Node alone takes ${start.toFixed(0)} ms of each time above`)

    const { lines, memory } = await watchExport(full)
    const expected = count + POSTS + WARM_UP
    report.claim(`export: ${lines} lines of ${expected}`, lines === expected)
    const half = Math.ceil(memory.length / 2)
    const [early, late] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
    const text = `its memory: ${early.toFixed(0)} MiB in the first half, ${late.toFixed(0)} MiB in the second`
    report.claim(text, late <= early * MAX_GROWTH)
  })
