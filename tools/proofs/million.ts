import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Inbox, Message } from '../../server/inbox/inbox.ts'
import { createReference } from '../../server/inbox/reference.ts'
import { createAddress, post } from './client.ts'
import type { Proof } from './main.ts'
import { quantile } from './report.ts'
import { CLI, runInboxCommand, startSite } from './site.ts'
import { patiently, withInbox, withStores } from './stores.ts'

const MESSAGES = 1_000_000
const PIECE = 5000
const POSTS = 1500
const WARM_UP = 200
const RUNS = 5
const MOST_EXPENSIVE = 1.3
const SLOWEST_LIST = 1000
const MOST_GROWTH = 1.3
const SAMPLE_INTERVAL = 50
const KIBIBYTES_IN_MEBIBYTE = 1024
const SPREAD = 700 * 24 * 60 * 60 * 1000

async function fill(inbox: Inbox, count: number, random: () => number): Promise<void> {
  const end = Date.now()
  const create = (): Message => ({
    reference: createReference(),
    receivedAt: new Date(end - Math.floor(random() * SPREAD)).toISOString(),
    status: random() < 0.9 ? 'mailed' : 'archived',
    firstName: 'Zoé',
    lastName: 'Preuve',
    email: `zoe.${Math.floor(random() * count)}@exemple.ca`,
    service: '',
    message: 'Une preuve, rien de plus. '.repeat(1 + Math.floor(random() * 20)),
    language: 'fr',
    trapped: [],
  })
  for (let done = 0; done < count; done += PIECE) {
    const piece = Array.from({ length: Math.min(PIECE, count - done) }, create)
    await inbox.importMessages(piece, patiently())
  }
}

/** Posts to both in turn, so that what else the machine does falls on both; medians in ms. */
async function compare(sites: { url: string }[], posts: number): Promise<number[]> {
  const durations = sites.map(() => [] as number[])
  for (let count = 0; count < posts + WARM_UP; count++) {
    for (const [index, site] of sites.entries()) {
      const { status, duration } = await post(
        site.url,
        { message: `Post number ${count}` },
        createAddress(),
      )
      if (status !== 200) throw new Error(`A post was answered ${status}`)
      if (count >= WARM_UP) durations[index]?.push(duration)
    }
  }
  return durations.map((each) => quantile(each, 0.5))
}

/** The median of a few runs, in ms. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now()
    await work()
    durations.push(performance.now() - start)
  }
  return quantile(durations, 0.5)
}

/** Runs an export into nothing; tells how many lines came, and the memory in MiB as it went. */
async function watchExport(url: string): Promise<{ lines: number; memory: number[] }> {
  const child = spawn(process.execPath, [CLI, 'export', '--format', 'jsonl'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const memory: number[] = []
  const sample = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
    if (resident) memory.push(resident / KIBIBYTES_IN_MEBIBYTE)
  }, SAMPLE_INTERVAL)
  child.once('exit', () => clearInterval(sample))
  let lines = 0
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  await exited
  return { lines, memory }
}

/** An inbox that is very full costs a visitor nothing, and a person at the command little. */
export const prove: Proof = ({ random, report, count = MESSAGES, stores: asked }) =>
  withStores(asked, async (kind, stores) => {
    const [empty, full] = [await stores.create(), await stores.create()]
    const began = performance.now()
    await withInbox(full, (inbox) => fill(inbox, count, random))
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    report.note(`${kind}: ${count} messages, made in ${seconds} s`)

    const sites = await Promise.all([empty, full].map((url) => startSite(url)))
    const [atEmpty = Number.NaN, atFull = Number.NaN] = await compare(sites, POSTS)
    for (const site of sites) await site.end()
    const ratio = atFull / atEmpty
    const medians = `${atEmpty.toFixed(2)} ms empty, ${atFull.toFixed(2)} ms full`
    report.claim(`a post: ${medians}, ${ratio.toFixed(2)} times`, ratio <= MOST_EXPENSIVE)

    for (const args of [['list'], ['list', '--status', 'new']]) {
      const duration = await time(() => runInboxCommand(full, ...args))
      report.claim(`${args.join(' ')}: ${duration.toFixed(0)} ms`, duration < SLOWEST_LIST)
    }
    const start = await time(() => runInboxCommand(full, '--help'))
    report.note(`of which Node itself needs ${start.toFixed(0)} ms to start`)

    const { lines, memory } = await watchExport(full)
    const expected = count + POSTS + WARM_UP
    report.claim(`export: ${lines} lines of ${expected}`, lines === expected)
    const half = Math.ceil(memory.length / 2)
    const [early, late] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
    const text = `its memory: ${early.toFixed(0)} MiB in the first half, ${late.toFixed(0)} MiB in the second`
    report.claim(text, late <= early * MOST_GROWTH)
  })
