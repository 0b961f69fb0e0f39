import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from '../harness/numbers.ts'
import { openConnection } from './connection.ts'
import { CONNECTIONS, type Load, type Outcome, writeGet, writePost } from './load.ts'

/** After the end of a load, the last answers must arrive within this time. */
const TIMEOUT_MS = 10_000

let posts = 0

function createRequests(request: Load['request']): () => Buffer {
  if (request === 'posts') return () => writePost(++posts)
  const written = writeGet(request)
  return () => written
}

/** Rejects if an answer is missing or wrong. */
async function run(load: Load): Promise<Outcome> {
  const { port, status, pace, duration } = load
  const getRequest = createRequests(load.request)
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(port, status)),
  )
  const cpu = process.cpuUsage()
  const begin = performance.now()
  let [planned, answers, bytes] = [0, 0, 0]
  const latencies: number[] = []
  const isOver = () => performance.now() - begin >= duration
  const asked = connections.map(async ({ ask, close }) => {
    while (!isOver()) {
      const due = pace && begin + (planned++ * 1000) / pace
      if (due) await wait(Math.max(0, due - performance.now()))
      const size = await ask(getRequest())
      bytes += size
      answers += 1
      if (due) latencies.push(performance.now() - due)
    }
    close()
  })
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    timeout.reject,
    duration + TIMEOUT_MS,
    new Error('timed out: some requests have no answer'),
  )
  await Promise.race([Promise.all(asked), timeout.promise])
  clearTimeout(timer)
  const seconds = (performance.now() - begin) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const p99 = quantile(latencies, 0.99)
  return { answers, seconds, bytes, p99, busy: (user + system) / 1e6 / seconds }
}

process.on('message', async (load: Load) => {
  process.send?.(await run(load).catch((error) => ({ error: String(error) })))
})
