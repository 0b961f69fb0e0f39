import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { send } from '../harness/client.ts'
import { describeDurations, quantile } from '../harness/numbers.ts'
import { openSocket } from '../harness/raw-client.ts'
import { type Proof, startSite, withStores } from './proof.ts'

const CLIENTS = 500
const MAX_LIFE_MS = 17_000
const DRIP_MS = 900
const VISITORS = 5
const PAUSE_MS = 40
const MAX_VISIT_MS = 100

const HEAD = 'GET /services HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
const BODY =
  'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{'

/** `after` is the time in ms until the site closes the connection. */
async function sendSlowly(url: string, beginning: string) {
  const socket = await openSocket({ url })
  const start = performance.now()
  socket.write(beginning)
  const timer = setInterval(() => socket.write('x'), DRIP_MS)
  const answer = String(await buffer(socket).catch(() => ''))
  clearInterval(timer)
  socket.destroy()
  return { after: performance.now() - start, answer }
}

/** Visits pages until the promise settles; resolves to the durations in ms, infinite for failed visits. */
async function visitDuring(site: string, period: Promise<unknown>): Promise<number[]> {
  let over = false
  period.finally(() => {
    over = true
  })
  async function visit(): Promise<number[]> {
    const durations: number[] = []
    while (!over) {
      const path = durations.length % 2 === 0 ? '/' : '/contact'
      const { status, duration } = await send(site, { path })
      durations.push(status === 200 ? duration : Number.POSITIVE_INFINITY)
      await wait(PAUSE_MS)
    }
    return durations
  }
  return (await Promise.all(Array.from({ length: VISITORS }, visit))).flat()
}

/** The site disconnects slow clients in time, and other visitors do not wait for them. */
export const prove: Proof = ({ report, count = CLIENTS, stores: kinds = ['sqlite'] }) =>
  withStores(kinds, async (_kind, createStore) => {
    const site = await startSite(await createStore())
    for (const path of ['/', '/contact']) await send(site.url, { path })
    report.note(`${count} clients with slow headers, ${count} with slow bodies`)
    const ended = Promise.all(
      [HEAD, BODY].flatMap((beginning) =>
        Array.from({ length: count }, () => sendSlowly(site.url, beginning)),
      ),
    )
    const durations = await visitDuring(site.url, ended)
    const endings = await ended
    await site.stop()

    for (const [kind, part] of [
      ['headers', endings.slice(0, count)],
      ['bodies', endings.slice(count)],
    ] as const) {
      const last = Math.round(Math.max(...part.map(({ after }) => after)))
      report.claim(`slow ${kind}: the last connection closed after ${last} ms`, last < MAX_LIFE_MS)
      const answered = part.filter(({ answer }) => answer.startsWith('HTTP/1.1 408 ')).length
      report.claim(`slow ${kind}: ${answered} clients got 408`, answered === count)
    }
    const isQuick = quantile(durations, 0.99) < MAX_VISIT_MS
    report.claim(`meanwhile: ${durations.length} visits, ${describeDurations(durations)}`, isQuick)
  })
