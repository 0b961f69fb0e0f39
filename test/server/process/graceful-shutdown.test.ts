import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import { stopInOrder } from '../../../server/process/graceful-shutdown.ts'
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
  const stopped = Promise.withResolvers<boolean>()
  const stop = jest.fn(() => stopped.promise)
  const fail = stopInOrder({ host, log, stop, timeToStop: 1000 })
  return { host, lines, stop, stopped, fail }
}

const settle = () => new Promise((resolve) => process.nextTick(resolve))

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick'] }))
afterEach(() => jest.useRealTimers())

test.each(['SIGTERM', 'SIGINT'])('%s stops in order, once', async (signal) => {
  const { host, stop, stopped } = create()
  host.emit(signal)
  host.emit('SIGTERM')
  expect(stop).toHaveBeenCalledTimes(1)
  expect(host.codes).toEqual([])
  stopped.resolve(true)
  await settle()
  expect(host.codes).toEqual([0])
})

test('what did not end well shows in the exit code', async () => {
  const { host, stopped } = create()
  host.emit('SIGTERM')
  stopped.resolve(false)
  await settle()
  expect(host.codes).toEqual([1])
})

test('a stop that fails is told, and shows in the exit code', async () => {
  const { host, lines, stopped } = create()
  host.emit('SIGTERM')
  stopped.reject(new Error('no'))
  await settle()
  expect(host.codes).toEqual([1])
  expect(lines[0]?.[1]).toBe('the stop failed')
})

test('the end of the time ends the process', () => {
  const { host } = create()
  host.emit('SIGTERM')
  jest.advanceTimersByTime(999)
  expect(host.codes).toEqual([])
  jest.advanceTimersByTime(1)
  expect(host.codes).toEqual([1])
})

test('an error that nobody caught is told, then stops in order with code 1', async () => {
  const { host, lines, stop, stopped } = create()
  host.emit('uncaughtException', new Error(CANARY))
  expect(stop).toHaveBeenCalledTimes(1)
  expect(host.codes).toEqual([])
  expect(lines).toEqual([
    ['error', 'an error that nobody caught: the process stops', { err: expect.any(Error) }],
  ])
  stopped.resolve(true)
  await settle()
  expect(host.codes).toEqual([1])
})

test('a second one ends the process at once', () => {
  const { host } = create()
  host.emit('uncaughtException', new Error('one'))
  host.emit('uncaughtException', new Error('two'))
  expect(host.codes).toEqual([1])
})

test('an error while a signal is followed still shows in the exit code', async () => {
  const { host, stopped } = create()
  host.emit('SIGTERM')
  host.emit('uncaughtException', new Error('late'))
  expect(host.codes).toEqual([])
  stopped.resolve(true)
  await settle()
  expect(host.codes).toEqual([1])
})

test('another reason to stop ends in order, with code 1', async () => {
  const { host, fail, stopped } = create()
  fail()
  stopped.resolve(true)
  await settle()
  expect(host.codes).toEqual([1])
})
