import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import { createSupervisor, StartFailed } from '../../../server/process/supervisor.ts'
import { createLines } from '../../support/fake-mailer.ts'

class FakeWorker extends EventEmitter {
  signals: string[] = []
  readonly process = { pid: 1, kill: (signal: string) => this.signals.push(signal) }
  readonly id: number
  constructor(id: number) {
    super()
    this.id = id
  }
  beReady() {
    this.emit('message', { type: 'ready' })
  }
  /** A code in words is that of a spawn that failed: there is no process, and no exit. */
  end(code: number | string | null, signal: string | null = null) {
    if (typeof code !== 'string') return this.emit('exit', code, signal)
    Object.assign(this.process, { pid: undefined })
    return this.emit('error', Object.assign(new Error('spawn'), { code }))
  }
}

const PACE = {
  firstPauseMs: 100,
  maxPauseMs: 400,
  windowMs: 10_000,
  maxEnds: 3,
  stopTimeoutMs: 50_000,
}

function create(count = 2) {
  const workers: FakeWorker[] = []
  const { lines, log } = createLines()
  Object.assign(log, { fatal: log.error })
  const onFailure = jest.fn()
  const supervisor = createSupervisor({
    fork() {
      const worker = new FakeWorker(workers.length + 1)
      workers.push(worker)
      return worker as unknown as Worker
    },
    count,
    log,
    onFailure,
    pace: PACE,
  })
  const get = (index: number) => workers[index] as FakeWorker
  return { workers, lines, onFailure, supervisor, get }
}

async function start(count = 2) {
  const created = create(count)
  const started = created.supervisor.start()
  for (let index = 0; index < count; index++) {
    created.get(index).beReady()
    await Promise.resolve()
  }
  await started
  return created
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

test('the first worker starts alone, then the others together', async () => {
  const { supervisor, workers, get } = create(3)
  const started = supervisor.start()
  expect(workers).toHaveLength(1)
  get(0).beReady()
  await Promise.resolve()
  expect(workers).toHaveLength(3)
  get(1).beReady()
  get(2).beReady()
  await started
})

test('a worker that ends while others start is replaced once they are ready', async () => {
  const { supervisor, workers, get } = create(3)
  const started = supervisor.start()
  get(0).beReady()
  await Promise.resolve()
  get(0).end(null, 'SIGKILL')
  get(1).beReady()
  expect(workers).toHaveLength(3)
  get(2).beReady()
  await started
  expect(workers).toHaveLength(4)
})

test('a start that ends during a stop starts no more workers', async () => {
  const { supervisor, workers, get } = create()
  const started = supervisor.start()
  get(0).beReady()
  await Promise.resolve()
  const stopped = supervisor.stop()
  get(0).end(0)
  get(1).beReady()
  await started
  get(1).end(0)
  await stopped
  expect(workers).toHaveLength(2)
})

test.each([0, 1])('worker %d that ends before it is ready fails the start', async (index) => {
  const { supervisor, get } = create()
  const failed = expect(supervisor.start()).rejects.toBeInstanceOf(StartFailed)
  if (index === 1) {
    get(0).beReady()
    await Promise.resolve()
  }
  get(index).end(1)
  await failed
})

test.each([
  [null, 'SIGKILL'],
  [1, null],
  [0, null],
  ['ENOENT', null],
])('a worker that ends with %s %s is replaced after a pause', async (code, signal) => {
  const { workers, lines, get } = await start()
  get(1).emit('error', new Error('a kill that failed'))
  get(0).end(code, signal)
  jest.advanceTimersByTime(99)
  expect(workers).toHaveLength(2)
  jest.advanceTimersByTime(1)
  expect(workers).toHaveLength(3)
  const [level, , details] = lines.at(-1) ?? []
  expect([level, details]).toEqual(['error', { worker: 1, code, signal, pauseMs: 100 }])
})

test('the pause grows while workers end, and shrinks once they last', async () => {
  const { workers, lines, get } = await start()
  const pauseAfterEnd = () => {
    get(workers.length - 1).end(1)
    const [, , details] = lines.at(-1) as [string, string, { pauseMs: number }]
    jest.advanceTimersByTime(details.pauseMs)
    return details.pauseMs
  }
  expect([1, 2, 3, 4].map(pauseAfterEnd)).toEqual([100, 200, 400, 400])
  jest.advanceTimersByTime(PACE.windowMs)
  expect(pauseAfterEnd()).toBe(100)
})

test('the site stops when workers keep ending and none serves', async () => {
  const { workers, onFailure, lines, get } = await start()
  for (let end = 0; end < 10; end++) {
    get(workers.length - 1).end(1)
    jest.advanceTimersByTime(PACE.maxPauseMs)
  }
  const count = workers.length
  expect(count).toBe(12)
  expect(onFailure).not.toHaveBeenCalled()
  get(0).end(1)
  expect(onFailure).toHaveBeenCalledTimes(1)
  jest.advanceTimersByTime(PACE.windowMs)
  expect(workers).toHaveLength(count)
  expect(lines.at(-1)?.[1]).toMatch(/^workers keep ending; the site stops/)
})

test('a stop signals every worker, waits for all of them, and replaces none', async () => {
  const { supervisor, workers, get } = await start()
  get(0).end('ENOENT')
  const stopped = supervisor.stop()
  expect(get(1).signals).toEqual(['SIGTERM'])
  jest.advanceTimersByTime(PACE.windowMs)
  get(1).end(0)
  await stopped
  expect(workers).toHaveLength(2)
})

test('a worker that does not stop in time is killed, which is a failure', async () => {
  const { supervisor, lines, onFailure, get } = await start()
  const stopped = supervisor.stop()
  get(0).end(0)
  jest.advanceTimersByTime(PACE.stopTimeoutMs - 1)
  expect(get(1).signals).toEqual(['SIGTERM'])
  jest.advanceTimersByTime(1)
  expect(get(0).signals).toEqual(['SIGTERM'])
  expect(get(1).signals).toEqual(['SIGTERM', 'SIGKILL'])
  expect(lines.at(-1)).toEqual(['error', 'worker did not stop in time; killed', { worker: 2 }])
  get(1).end(null, 'SIGKILL')
  await stopped
  expect(onFailure).toHaveBeenCalledTimes(1)
})

test.each([
  [1, null, false],
  [null, 'SIGKILL', false],
  [0, null, true],
  [null, 'SIGTERM', true],
])('a stop in which a worker ends with %s %s is graceful: %s', async (code, signal, isGraceful) => {
  const { supervisor, onFailure, get } = await start()
  const stopped = supervisor.stop()
  get(0).end(0)
  get(1).end(code, signal)
  await stopped
  expect(onFailure).toHaveBeenCalledTimes(isGraceful ? 0 : 1)
})
