import { join } from 'node:path'
import { atLeast, atMost, median, medianRatio } from '../figures.ts'
import { CONNECTIONS } from '../load.ts'
import { startBenchSite, startGenerator, startServer } from '../processes.ts'
import { DURATION_MS, interleave, type Part, ROUNDS, WARM_UP_MS } from '../rounds.ts'

const POSTS_PER_SECOND = 500
/** Rounds with posts at fixed times are longer, so that the p99 comes from enough posts. */
const CLOCK_FACTOR = 5

export const measure: Part = async (folder) => {
  const site = await startBenchSite(folder)
  const inserts = startServer('inserts')
  await inserts.ask(join(folder, 'rows.sqlite'))
  const generator = startGenerator()
  const load = { port: site.port, request: 'posts' } as const
  const post = async (duration: number) => (await generator.run({ ...load, duration })).rate
  await post(WARM_UP_MS)
  await inserts.ask(WARM_UP_MS)
  const [posts = [], rows = []] = await interleave([
    () => post(DURATION_MS),
    () => inserts.ask<number>(DURATION_MS),
  ])
  const clock = { pace: POSTS_PER_SECOND, duration: DURATION_MS * CLOCK_FACTOR }
  const latencies: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { p99 = Number.NaN } = await generator.run({ ...load, ...clock })
    latencies.push(p99)
  }
  await Promise.all([site.end(), inserts.end(), generator.end()])
  const latency = median(latencies)
  return {
    title: 'Messages kept',
    how: `POST /api/contact over ${CONNECTIONS} connections, compared with a loop of durable single-row inserts into SQLite in the same folder. Latency counts from the time when a post was due.`,
    figures: [
      atLeast('posts kept, of single-row durable inserts', medianRatio(posts, rows), 'ratio', 0.35),
      atMost(`post, p99 at ${POSTS_PER_SECOND} a second`, latency, 'ms', 25),
    ],
  }
}
