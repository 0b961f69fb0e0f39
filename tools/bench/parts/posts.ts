import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { postMessage } from '../../harness/client.ts'
import { quantile } from '../../harness/numbers.ts'
import { atLeast, atMost, median, medianRatio } from '../figures.ts'
import { startGenerator, startServer, startSite } from '../processes.ts'
import { interleave, type Part } from '../rounds.ts'

const CONNECTIONS = 50
const POSTS_PER_SECOND = 500
/** Rounds with posts at fixed times are longer, so that the p99 comes from enough posts. */
const CLOCK_FACTOR = 5

/** Posts at fixed times; resolves to the p99 in ms, from the time when each post was due. */
async function postByClock(url: string, duration: number): Promise<number> {
  const begin = performance.now()
  const count = (duration * POSTS_PER_SECOND) / 1000
  const posts = Array.from({ length: count }, async (_, n) => {
    const due = begin + (n * 1000) / POSTS_PER_SECOND
    await wait(Math.max(0, due - performance.now()))
    const { status } = await postMessage(url)
    if (status !== 200) throw new Error(`A post was answered with ${status}`)
    return performance.now() - due
  })
  return quantile(await Promise.all(posts), 0.99)
}

/**
 * Compares messages stored per second with single-row inserts per second, both durable and on the same disk. Also
 * measures the latency.
 */
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
  const latencies: number[] = []
  for (let round = 0; round < pace.rounds; round++) {
    latencies.push(await postByClock(site.url, pace.duration * CLOCK_FACTOR))
  }
  await Promise.all([site.end(), inserts.end(), generator.end()])
  const latency = median(latencies)
  return {
    title: 'Messages kept',
    how: `POST /api/contact over ${CONNECTIONS} connections, compared with a loop of durable single-row inserts into SQLite in the same folder. For latency, ${POSTS_PER_SECOND} posts a second are due by the clock and timed from then; the median of the rounds' p99.`,
    figures: [
      atLeast('posts kept, of single-row durable inserts', medianRatio(posts, rows), 'ratio', 0.4),
      atMost(`post, p99 at ${POSTS_PER_SECOND} a second`, latency, 'ms', 25),
    ],
  }
}
