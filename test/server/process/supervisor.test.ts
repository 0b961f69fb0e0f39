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
  serve() {
    this.emit('message', { type: 'ready' })
  }
  end(code: number | null, signal: string | null = null) {
    this.emit('exit', code, signal)
  }
}

const PACE = {
  firstPauseMs: 100,
  longestPauseMs: 400,
  windowMs: 10_000,
  mostDeaths: 3,
  timeToStopMs: 50_000,
}

function create(count = 2) {
  const workers: FakeWorker[] = []
  const { lines, log } = createLines()
  Object.assign(log, { fatal: log.error })
  const onGiveUp = jest.fn()
  const supervisor = createSupervisor({
    fork() {
      const worker = new FakeWorker(workers.length + 1)
      workers.push(worker)
      return worker as unknown as Worker
    },
    count,
    log,
    onGiveUp,
    pace: PACE,
  })
  const get = (index: number) => workers[index] as FakeWorker
  return { workers, lines, onGiveUp, supervisor, get }
}

async function start(count = 2) {
  const created = create(count)
  const started = created.supervisor.start()
  for (let index = 0; index < count; index++) {
    created.get(index).serve()
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
  get(0).serve()
  await Promise.resolve()
  expect(workers).toHaveLength(3)
  get(1).serve()
  get(2).serve()
  await started
})

test('a worker that served and ends while others start is replaced once they serve', async () => {
  const { supervisor, workers, get } = create(3)
  const started = supervisor.start()
  get(0).serve()
  await Promise.resolve()
  get(0).end(null, 'SIGKILL')
  get(1).serve()
  expect(workers).toHaveLength(3)
  get(2).serve()
  await started
  expect(workers).toHaveLength(4)
})

test('a start that ends after the stop began starts no more', async () => {
  const { supervisor, workers, get } = create()
  const started = supervisor.start()
  get(0).serve()
  await Promise.resolve()
  const stopped = supervisor.stop()
  get(0).end(0)
  get(1).serve()
  await started
  get(1).end(0)
  expect(await stopped).toBe(true)
  expect(workers).toHaveLength(2)
})

test.each([0, 1])('worker %d that ends before it serves fails the start', async (index) => {
  const { supervisor, get } = create()
  const failed = expect(supervisor.start()).rejects.toBeInstanceOf(StartFailed)
  if (index === 1) {
    get(0).serve()
    await Promise.resolve()
  }
  get(index).end(1)
  await failed
})

test.each([
  [null, 'SIGKILL'],
  [1, null],
  [0, null],
])('a worker that ends with %s %s is replaced after a pause', async (code, signal) => {
  const { workers, lines, get } = await start()
  get(0).end(code, signal)
  jest.advanceTimersByTime(99)
  expect(workers).toHaveLength(2)
  jest.advanceTimersByTime(1)
  expect(workers).toHaveLength(3)
  const [level, , details] = lines.at(-1) ?? []
  expect([level, details]).toEqual(['error', { worker: 1, code, signal, pause: 100 }])
})

test('the pause grows while workers end, and shrinks once they last', async () => {
  const { workers, lines, get } = await start()
  const pauseAfterDeath = () => {
    get(workers.length - 1).end(1)
    const [, , details] = lines.at(-1) as [string, string, { pause: number }]
    jest.advanceTimersByTime(details.pause)
    return details.pause
  }
  expect([1, 2, 3, 4].map(pauseAfterDeath)).toEqual([100, 200, 400, 400])
  jest.advanceTimersByTime(PACE.windowMs)
  expect(pauseAfterDeath()).toBe(100)
})

test('it gives up when workers end again and again', async () => {
  const { workers, onGiveUp, lines, get } = await start()
  for (let death = 0; death < 6; death++) {
    get(workers.length - 1).end(1)
    jest.advanceTimersByTime(PACE.longestPauseMs)
  }
  expect(onGiveUp).not.toHaveBeenCalled()
  const count = workers.length
  get(count - 1).end(1)
  expect(onGiveUp).toHaveBeenCalledTimes(1)
  jest.advanceTimersByTime(PACE.windowMs)
  expect(workers).toHaveLength(count)
  expect(lines.at(-1)?.[1]).toBe('workers end again and again: giving up')
})

test('a stop asks every worker, waits for all of them, and replaces none', async () => {
  const { supervisor, workers, get } = await start()
  get(0).end(1)
  const stopped = supervisor.stop()
  expect(get(1).signals).toEqual(['SIGTERM'])
  jest.advanceTimersByTime(PACE.windowMs)
  get(1).end(0)
  expect(await stopped).toBe(true)
  expect(workers).toHaveLength(2)
})

test('a worker that does not stop in time is killed, and the stop was not in order', async () => {
  const { supervisor, lines, get } = await start()
  const stopped = supervisor.stop()
  get(0).end(0)
  jest.advanceTimersByTime(PACE.timeToStopMs - 1)
  expect(get(1).signals).toEqual(['SIGTERM'])
  jest.advanceTimersByTime(1)
  expect(get(0).signals).toEqual(['SIGTERM'])
  expect(get(1).signals).toEqual(['SIGTERM', 'SIGKILL'])
  expect(lines.at(-1)).toEqual(['error', 'worker did not stop in time; killed', { worker: 2 }])
  get(1).end(null, 'SIGKILL')
  expect(await stopped).toBe(false)
})

test.each([
  [1, null, false],
  [null, 'SIGKILL', false],
  [0, null, true],
  [null, 'SIGTERM', true],
])('a stop in which a worker ends with %s %s is in order: %s', async (code, signal, inOrder) => {
  const { supervisor, get } = await start()
  const stopped = supervisor.stop()
  get(0).end(0)
  get(1).end(code, signal)
  expect(await stopped).toBe(inOrder)
})
