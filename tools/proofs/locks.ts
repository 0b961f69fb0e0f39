import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, createAddress, get, post } from './client.ts'
import type { Proof } from './main.ts'
import { quantile } from './report.ts'
import { startSite } from './site.ts'
import { listAll, type StoreKind, withInbox, withStores } from './stores.ts'

const CLIENTS = 50
const LOCKED_FOR = 5000
const CALM = 3000
const LONGEST_WAIT = 2300
const SLOWEST_PAGE = 50
const PAUSE_BETWEEN_PAGES = 20

const LOCKERS: Record<StoreKind, string> = {
  sqlite: `
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(process.argv[1].slice('sqlite:'.length))
    database.exec('BEGIN IMMEDIATE')`,
  postgres: `
    const { default: pg } = await import('pg')
    const client = new pg.Client(process.argv[1])
    await client.connect()
    await client.query('BEGIN; LOCK TABLE messages, outbox, receipts, hits IN EXCLUSIVE MODE')`,
}

/** Another process that takes the write lock; resolves once it has it. */
async function lock(kind: StoreKind, url: string): Promise<{ released: Promise<unknown> }> {
  const script = `${LOCKERS[kind]}
    console.log('locked')
    setTimeout(() => process.exit(), ${LOCKED_FOR})`
  const args = ['--input-type=module', '-e', script, url]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const released = once(child, 'exit')
  await once(child.stdout, 'data')
  return { released }
}

async function readPages(site: string, until: Promise<unknown>): Promise<number[]> {
  const durations: number[] = []
  let over = false
  until.then(() => {
    over = true
  })
  while (!over) {
    const { status, duration } = await get(site, '/contact')
    durations.push(status === 200 ? duration : Number.POSITIVE_INFINITY)
    await wait(PAUSE_BETWEEN_PAGES)
  }
  return durations
}

/** A store that someone else has locked costs a post two seconds at most, and a page nothing. */
export const prove: Proof = ({ report, stores: asked }) =>
  withStores(asked, async (kind, stores) => {
    report.note(`${kind}: another process holds the lock for ${LOCKED_FOR / 1000} s`)
    const url = await stores.create()
    const site = await startSite(url)
    const before = await post(site.url, { message: 'Before the lock' }, createAddress())
    const calm = await readPages(site.url, wait(CALM))
    report.note(`pages before: p99 ${quantile(calm, 0.99).toFixed(1)} ms`)
    const { released } = await lock(kind, url)
    const durations = readPages(site.url, released)
    const answers: Answer[] = []
    for (const round of [1, 2]) {
      const posts = Array.from({ length: CLIENTS }, (_, n) =>
        post(site.url, { message: `Round ${round}, too late ${n}` }, createAddress()),
      )
      answers.push(...(await Promise.all(posts)))
    }
    const pages = await durations
    const after = await post(site.url, { message: 'After the lock' }, createAddress())
    await wait(LONGEST_WAIT)
    await site.end()
    const kept = await withInbox(url, (inbox) => Array.fromAsync(listAll(inbox)))

    const refused = answers.filter(({ status }) => status === 503).length
    const slowest = Math.max(...answers.map(({ duration }) => duration))
    const p99 = quantile(pages, 0.99)
    const late = kept.filter(({ message }) => message.includes('too late')).length
    report.claim(`${refused} of ${answers.length} posts got 503`, refused === answers.length)
    report.claim(`the slowest after ${Math.round(slowest)} ms`, slowest <= LONGEST_WAIT)
    report.claim(`${late} of them kept afterwards`, late === 0)
    report.claim(`${pages.length} pages, p99 ${p99.toFixed(1)} ms`, p99 < SLOWEST_PAGE)
    report.claim('posts work before and after', before.status === 200 && after.status === 200)
    report.claim(`${kept.length} kept in all`, kept.length === 2)
  })
