import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { get } from './client.ts'
import type { Proof } from './main.ts'
import { quantile } from './report.ts'
import { startSite } from './site.ts'
import { withStores } from './stores.ts'

const CLIENTS = 500
/** In ms. */
const MOST = 17_000
const DRIP = 900
const VISITORS = 5
const PAUSE = 40
const CALM = 3000
const SLOWEST_VISIT = 100

const HEAD = 'GET /services HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
const BODY =
  'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{'

interface Ending {
  /** ms from the first byte until the site closed */
  after: number
  answer: string
}

/** Sends a beginning, then a byte now and then, for as long as it may. */
function beSlow(port: number, beginning: string): Promise<Ending> {
  return new Promise((resolve) => {
    let answer = ''
    let start = performance.now()
    let timer: NodeJS.Timeout
    const socket: Socket = connect(port, '127.0.0.1', () => {
      start = performance.now()
      socket.write(beginning)
      timer = setInterval(() => socket.write('x'), DRIP)
    })
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ after: performance.now() - start, answer })
    })
  })
}

/** How long visitors wait for their pages, in ms, until the end of a time that none of them is to notice. */
async function visitDuring(site: string, time: Promise<unknown>): Promise<number[]> {
  let over = false
  time.finally(() => {
    over = true
  })
  async function visit(): Promise<number[]> {
    const durations: number[] = []
    while (!over) {
      const path = durations.length % 2 === 0 ? '/' : '/contact'
      const { status, duration } = await get(site, path)
      durations.push(status === 200 ? duration : Number.POSITIVE_INFINITY)
      await wait(PAUSE)
    }
    return durations
  }
  return (await Promise.all(Array.from({ length: VISITORS }, visit))).flat()
}

function describe(durations: number[]): string {
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(durations, part).toFixed(1))
  return `${durations.length} visits, p50 ${p50} ms, p99 ${p99} ms`
}

/** Many who send as slowly as they can are all sent away in time, and nobody else waits for them. */
export const prove: Proof = ({ report, count = CLIENTS, stores: asked }) =>
  withStores(asked.length > 0 ? asked : ['sqlite'], async (_kind, stores) => {
    const site = await startSite(await stores.create())
    const port = Number(new URL(site.url).port)
    for (const path of ['/', '/contact']) await get(site.url, path)
    report.note(`before: ${describe(await visitDuring(site.url, wait(CALM)))}`)
    report.note(`${count} clients with slow headers, ${count} with slow bodies`)
    const slow = [HEAD, BODY].flatMap((beginning) =>
      Array.from({ length: count }, () => beSlow(port, beginning)),
    )
    const ended = Promise.all(slow)
    const durations = await visitDuring(site.url, ended)
    const endings = await ended
    await site.end('SIGTERM')

    for (const [kind, part] of [
      ['headers', endings.slice(0, count)],
      ['bodies', endings.slice(count)],
    ] as const) {
      const last = Math.max(...part.map(({ after }) => after))
      report.claim(`slow ${kind}: the last closed after ${Math.round(last)} ms`, last < MOST)
      const told = part.filter(({ answer }) => answer.startsWith('HTTP/1.1 408 ')).length
      report.claim(`slow ${kind}: ${told} were told 408`, told === count)
    }
    const isQuick = quantile(durations, 0.99) < SLOWEST_VISIT
    report.claim(`meanwhile: ${describe(durations)}`, isQuick)
  })
