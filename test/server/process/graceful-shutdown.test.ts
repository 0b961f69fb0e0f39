import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import { stopOnSignals } from '../../../server/process/shutdown.ts'
import { createLines } from '../../support/fake-mailer.ts'

class FakeHost extends EventEmitter {
  codes: number[] = []
  exit(code: number) {
    this.codes.push(code)
  }
}

function create() {
  const host = new FakeHost()
  const { lines, log } = createLines()
  Object.assign(log, { fatal: log.error, flush: (done: () => void) => done() })
  const stopped = Promise.withResolvers<void>()
  const stop = jest.fn(() => stopped.promise)
  const fail = stopOnSignals({ host, log, stop })
  const throwError = () => host.emit('uncaughtException', new Error('Kanarienvogel'))
  return { host, lines, log, stop, stopped, fail, throwError }
}

const settle = () => new Promise((resolve) => process.nextTick(resolve))

type Trigger = (parts: ReturnType<typeof create>) => void
const terminate: Trigger = ({ host }) => host.emit('SIGTERM')
const interrupt: Trigger = ({ host }) => host.emit('SIGINT')
const fail: Trigger = (parts) => parts.fail()

test.each<[name: string, triggers: Trigger[], code: number]>([
  ['SIGTERM', [terminate], 0],
  ['SIGINT', [interrupt], 0],
  ['SIGINT and SIGTERM', [interrupt, terminate], 0],
  ['a failure', [fail], 1],
])('%s shuts down gracefully, once', async (_name, triggers, code) => {
  const parts = create()
  const { host, stop, stopped } = parts
  for (const trigger of triggers) trigger(parts)
  expect(stop).toHaveBeenCalledTimes(1)
  expect(host.codes).toEqual([])
  stopped.resolve()
  await settle()
  expect(host.codes).toEqual([code])
})

test('a shutdown that fails is logged, and ends with 1', async () => {
  const { host, lines, stopped } = create()
  host.emit('SIGTERM')
  host.emit('SIGINT')
  stopped.reject(new Error('no'))
  await settle()
  expect(host.codes).toEqual([1])
  expect(lines).toEqual([
    ['info', 'asked to stop; requests and mails in flight finish first', { signal: 'SIGTERM' }],
    ['error', 'shutdown failed', { err: expect.any(Error) }],
    ['info', 'stopped', { exitCode: 1 }],
  ])
})

test('an uncaught error is logged and ends the process at once, also during a shutdown', () => {
  const { host, lines, throwError } = create()
  host.emit('SIGTERM')
  throwError()
  const line = ['error', 'uncaught error; the process ends', { err: expect.any(Error) }]
  expect(lines.at(-1)).toEqual(line)
  expect(host.codes).toEqual([1])
})

test('the process ends when nobody reads the log', () => {
  jest.useFakeTimers()
  const { host, log, throwError } = create()
  Object.assign(log, { flush: () => {} })
  throwError()
  expect(host.codes).toEqual([])
  jest.runAllTimers()
  expect(host.codes).toEqual([1])
  jest.useRealTimers()
})
