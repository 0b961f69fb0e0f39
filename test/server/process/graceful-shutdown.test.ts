import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import { stopOnSignals } from '../../../server/process/graceful-shutdown.ts'
import { createLines } from '../../support/fake-mailer.ts'

const CANARY = 'Kanarienvogel'

class FakeHost extends EventEmitter {
  codes: number[] = []
  exit(code: number) {
    this.codes.push(code)
  }
}

function create() {
  const host = new FakeHost()
  const { lines, log } = createLines()
  Object.assign(log, { fatal: log.error })
  const stopped = Promise.withResolvers<void>()
  const stop = jest.fn(() => stopped.promise)
  const fail = stopOnSignals({ host, log, stop, stopTimeoutMs: 1000 })
  return { host, lines, stop, stopped, fail }
}

const settle = () => new Promise((resolve) => process.nextTick(resolve))

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick'] }))
afterEach(() => jest.useRealTimers())

test.each(['SIGTERM', 'SIGINT'])('%s shuts down gracefully, once', async (signal) => {
  const { host, stop, stopped } = create()
  host.emit(signal)
  host.emit('SIGTERM')
  expect(stop).toHaveBeenCalledTimes(1)
  expect(host.codes).toEqual([])
  stopped.resolve()
  await settle()
  expect(host.codes).toEqual([0])
})

test('a stop that fails is logged, and ends with 1', async () => {
  const { host, lines, stopped } = create()
  host.emit('SIGTERM')
  stopped.reject(new Error('no'))
  await settle()
  expect(host.codes).toEqual([1])
  expect(lines[0]?.[1]).toBe('shutdown failed')
})

test('the timeout ends the process', () => {
  const { host } = create()
  host.emit('SIGTERM')
  jest.advanceTimersByTime(999)
  expect(host.codes).toEqual([])
  jest.advanceTimersByTime(1)
  expect(host.codes).toEqual([1])
})

test('an uncaught error is logged, then shuts down gracefully with code 1', async () => {
  const { host, lines, stop, stopped } = create()
  host.emit('uncaughtException', new Error(CANARY))
  expect(stop).toHaveBeenCalledTimes(1)
  expect(host.codes).toEqual([])
  expect(lines).toEqual([
    ['error', 'uncaught error; the process stops', { err: expect.any(Error) }],
  ])
  stopped.resolve()
  await settle()
  expect(host.codes).toEqual([1])
})

test('a second uncaught error ends the process at once', () => {
  const { host } = create()
  host.emit('uncaughtException', new Error('one'))
  host.emit('uncaughtException', new Error('two'))
  expect(host.codes).toEqual([1])
})

test.each<[string, (parts: ReturnType<typeof create>) => void]>([
  ['an uncaught error', ({ host }) => host.emit('uncaughtException', new Error('late'))],
  ['a failure', ({ fail }) => fail()],
])('%s during a shutdown ends with 1', async (_name, disturb) => {
  const parts = create()
  const { host, stopped } = parts
  host.emit('SIGTERM')
  disturb(parts)
  expect(host.codes).toEqual([])
  stopped.resolve()
  await settle()
  expect(host.codes).toEqual([1])
})

test('a failure shuts down gracefully, with code 1', async () => {
  const { host, fail, stopped } = create()
  fail()
  stopped.resolve()
  await settle()
  expect(host.codes).toEqual([1])
})
