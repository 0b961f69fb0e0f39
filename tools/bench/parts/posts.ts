import { join } from 'node:path'
import { median, medianRatio, write } from '../figures.ts'
import type { Outcome } from '../load.ts'
import type { Part } from '../main.ts'
import { startGenerator, startPeer, startSite } from '../processes.ts'
import { interleave } from '../rounds.ts'

const CONNECTIONS = 50
const RATE = 500
/** A paced round is so much longer than another, so that its hundredth part is more than a few posts. */
const LONGER = 5

/** Messages kept durably against single rows inserted durably into the same disk. */
export const measure: Part = async ({ pace, createFolder }) => {
  const folder = createFolder()
  const site = await startSite({ folder })
  const { ask: insertFor, end: endInserts } = await startPeer(
    'inserts',
    join(folder, 'rows.sqlite'),
  )
  const generator = startGenerator()
  const post = async (duration: number) => {
    const load = { port: site.port, connections: CONNECTIONS, requests: 'posts', duration } as const
    const { answers, seconds } = await generator.run(load)
    return answers / seconds
  }
  await post(pace.warmUp)
  await insertFor<number>(pace.warmUp)
  const [posts = [], rows = []] = await interleave(pace.rounds, [
    () => post(pace.duration),
    () => insertFor<number>(pace.duration),
  ])
  const paced: Outcome[] = []
  for (let round = 0; round < pace.rounds; round++) {
    paced.push(
      await generator.run({
        port: site.port,
        connections: CONNECTIONS,
        requests: 'posts',
        duration: pace.duration * LONGER,
        pace: RATE,
      }),
    )
  }
  await Promise.all([site.end(), endInserts(), generator.end()])
  return {
    title: 'Messages kept',
    how: `POST /api/contact with ${CONNECTIONS} connections, each message from an address of its own (TRUST_PROXY=1) and with a text of its own, answered 200 once it is on the disk; the limit of two an hour, the receipts and the log at work. Against a process that does nothing but insert one row of the same columns a transaction, in a loop, into SQLite with WAL and synchronous=FULL in the same folder. For latency ${RATE} posts a second are due by the clock, and each is timed from when it was due; the median of the rounds' p99.`,
    figures: [
      {
        name: 'posts kept, of single-row durable inserts',
        value: medianRatio(posts, rows),
        unit: 'ratio',
        limit: { least: 0.4 },
      },
      {
        name: `post, p99 at ${RATE} a second`,
        value: median(paced.map(({ p99 }) => p99)),
        unit: 'ms',
        limit: { most: 25 },
      },
    ],
    tables: [
      {
        head: ['', 'median'],
        rows: [
          ['posts a second', write(median(posts), '/s')],
          ['single-row durable inserts a second', write(median(rows), '/s')],
          [`p50 at ${RATE} a second`, write(median(paced.map(({ p50 }) => p50)), 'ms')],
          [
            `worst round's p99 at ${RATE} a second`,
            write(Math.max(...paced.map(({ p99 }) => p99)), 'ms'),
          ],
        ],
      },
    ],
  }
}
