import { createHistogram } from 'node:perf_hooks'
import { openConnection } from './connection.ts'
import { type Load, type Outcome, writeGet, writePost } from './load.ts'

// autocannon would be too slow: it needs four times the CPU time for each request (106 µs instead of 26 µs). On one
// core it requests 9 000 pages a second, but the site answers 25 000.

/** Longer than any answer may take. */
const TIMEOUT_MS = 10_000

interface Worker {
  /** Sends the next request; `due` is its planned time. */
  ask(due: number): void
  close(): void
}

/** Decides when the workers send. */
interface Tempo {
  start(workers: Worker[]): void
  onFree(worker: Worker): void
}

let posts = 0

function createRequests(requests: Load['requests']): () => Buffer {
  if (requests === 'posts') return () => writePost(++posts)
  const written = requests.map(writeGet)
  let next = 0
  return () => written[next++ % written.length] as Buffer
}

/** Each worker sends its next request as soon as it has the answer to the last. */
function createClosedLoop(isOver: () => boolean, finish: () => void): Tempo {
  let working = 0
  return {
    start(workers) {
      working = workers.length
      for (const worker of workers) worker.ask(performance.now())
    },
    onFree(worker) {
      if (!isOver()) worker.ask(performance.now())
      else if (--working === 0) finish()
    },
  }
}

/** Requests are due at fixed times, so the latency includes their wait for a slow server. */
function createOpenLoop(rate: number, isOver: () => boolean, finish: () => void): Tempo {
  const waiting: number[] = []
  const free: Worker[] = []
  let [begin, asked, answered] = [0, 0, 0]

  function tick(): void {
    while (!isOver() && begin + (asked * 1000) / rate <= performance.now()) {
      waiting.push(begin + (asked * 1000) / rate)
      asked += 1
    }
    while (free.length > 0 && waiting.length > 0) free.pop()?.ask(waiting.shift() as number)
    if (isOver() && answered === asked) finish()
    else setImmediate(tick)
  }

  return {
    start(workers) {
      begin = performance.now()
      free.push(...workers)
      tick()
    },
    onFree(worker) {
      answered += 1
      free.push(worker)
    },
  }
}

/** Loads a server; rejects when an answer is incomplete or has another status. */
async function run(load: Load): Promise<Outcome> {
  const { connections, duration = 60 * 60_000, pace } = load
  const enough = load.answers ?? Number.POSITIVE_INFINITY
  const getRequest = createRequests(load.requests)
  const latencies = createHistogram()
  const { promise: over, resolve: finish, reject } = Promise.withResolvers<void>()
  let [begin, answers, bytes] = [0, 0, 0]

  const isOver = () => answers >= enough || performance.now() - begin >= duration
  const tempo =
    pace === undefined ? createClosedLoop(isOver, finish) : createOpenLoop(pace, isOver, finish)

  async function openWorker(): Promise<Worker> {
    let askedAt = 0
    const connection = await openConnection(
      load,
      (size) => {
        answers += 1
        bytes += size
        latencies.record(Math.max(1, Math.round((performance.now() - askedAt) * 1000)))
        tempo.onFree(worker)
      },
      reject,
    )
    const worker = {
      ask(due: number) {
        askedAt = due
        connection.send(getRequest())
      },
      close: connection.close,
    }
    return worker
  }

  const workers = await Promise.all(Array.from({ length: connections }, openWorker))
  const timer = setTimeout(
    () => reject(new Error('timed out; answers missing')),
    duration + TIMEOUT_MS,
  )
  const cpu = process.cpuUsage()
  begin = performance.now()
  tempo.start(workers)
  await over
  const seconds = (performance.now() - begin) / 1000
  const { user, system } = process.cpuUsage(cpu)
  clearTimeout(timer)
  for (const worker of workers) worker.close()
  return {
    answers,
    seconds,
    bytes,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    busy: (user + system) / 1e6 / seconds,
  }
}

process.on('message', async (load: Load) => {
  process.send?.(await run(load).catch((error) => ({ error: String(error) })))
})
