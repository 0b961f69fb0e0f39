import { join } from 'node:path'
import { atLeast, atMost, median, medianRatio, write } from '../figures.ts'
import type { Outcome } from '../load.ts'
import { startGenerator, startServer, startSite } from '../processes.ts'
import { interleave, type Part } from '../rounds.ts'

const CONNECTIONS = 50
const POSTS_PER_SECOND = 500
/** Paced rounds are longer, so that enough posts determine their p99. */
const PACED_FACTOR = 5

/** Compares stored messages a second with durable single-row inserts on the same disk, and measures the latency. */
export const measure: Part = async ({ pace, createFolder }) => {
  const folder = createFolder()
  const site = await startSite({ folder })
  const inserts = startServer('inserts')
  await inserts.ask(join(folder, 'rows.sqlite'))
  const generator = startGenerator()
  const post = async (duration: number) => {
    const load = { port: site.port, connections: CONNECTIONS, requests: 'posts', duration } as const
    const { answers, seconds } = await generator.run(load)
    return answers / seconds
  }
  await post(pace.warmUp)
  await inserts.ask(pace.warmUp)
  const [posts = [], rows = []] = await interleave(pace.rounds, [
    () => post(pace.duration),
    () => inserts.ask<number>(pace.duration),
  ])
  const paced: Outcome[] = []
  for (let round = 0; round < pace.rounds; round++) {
    paced.push(
      await generator.run({
        port: site.port,
        connections: CONNECTIONS,
        requests: 'posts',
        duration: pace.duration * PACED_FACTOR,
        pace: POSTS_PER_SECOND,
      }),
    )
  }
  await Promise.all([site.end(), inserts.end(), generator.end()])
  return {
    title: 'Messages kept',
    how: `POST /api/contact over ${CONNECTIONS} connections, compared with a loop of durable single-row inserts into SQLite in the same folder. For latency, ${POSTS_PER_SECOND} posts a second are due by the clock and timed from then; the median of the rounds' p99.`,
    figures: [
      atLeast('posts kept, of single-row durable inserts', medianRatio(posts, rows), 'ratio', 0.4),
      atMost(
        `post, p99 at ${POSTS_PER_SECOND} a second`,
        median(paced.map(({ p99 }) => p99)),
        'ms',
        25,
      ),
    ],
    table: {
      head: ['', 'median'],
      rows: [
        ['posts a second', write(median(posts), '/s')],
        ['durable single-row inserts a second', write(median(rows), '/s')],
        [`p50 at ${POSTS_PER_SECOND} a second`, write(median(paced.map(({ p50 }) => p50)), 'ms')],
      ],
    },
  }
}
