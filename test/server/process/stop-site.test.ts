import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { jest } from '@jest/globals'
import { createOutbox } from '../../../server/mail/outbox.ts'
import { STOP_PACE, type StopPace, stopSite } from '../../../server/process/stop-site.ts'
import { FakeMailQueue } from '../../support/fake-mail-queue.ts'
import { createLines, FakeMailer } from '../../support/fake-mailer.ts'

const SECOND = 1000
const never = () => new Promise<never>(() => {})

/** A server with a request that ends only when its connection is closed. */
class SlowServer extends EventEmitter {
  private closed = () => {}
  close(closed: () => void) {
    this.closed = closed
  }
  closeIdleConnections() {}
  closeAllConnections() {
    this.closed()
  }
}

beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 4, 4, 12) }))
afterEach(() => jest.useRealTimers())

/** Stops while a request, the mail server and the store hang. */
async function stopHung(pace?: StopPace) {
  const queue = new FakeMailQueue()
  const mailer = new FakeMailer()
  const { lines, log } = createLines()
  queue.add('one')
  queue.settle = (_mail, _outcome, deadline = 0) =>
    new Promise((_, reject) => setTimeout(reject, deadline - Date.now(), new Error('deadline')))
  mailer.answer = never
  const outbox = createOutbox({ queue, mailer, log })
  outbox.start()
  await jest.advanceTimersByTimeAsync(0)
  const servers = [new SlowServer() as unknown as Server]
  const parts = { servers, mailing: outbox, inbox: { close: never }, close: async () => {}, log }
  const start = Date.now()
  const stopped = stopSite(parts, pace).then(() => Date.now() - start)
  await jest.advanceTimersByTimeAsync(60 * SECOND)
  return { duration: await stopped, lines }
}

test('a stop ends within its budget, whatever hangs', async () => {
  const { duration, lines } = await stopHung()
  expect(duration).toBeLessThan(24 * SECOND)
  expect(JSON.stringify(lines)).toContain('shutdown timed out')
})

test('a smaller budget is kept, too', async () => {
  const pace = { graceMs: 10, answersMs: 20, idleCheckMs: 1, mailMs: 30, totalMs: 50 }
  expect((await stopHung(pace)).duration).toBe(50)
})

test('a request that never ends leaves time to mail, and to record the result', () => {
  const { graceMs, answersMs, mailMs, totalMs } = STOP_PACE
  expect(graceMs + answersMs + mailMs + SECOND).toBeLessThanOrEqual(totalMs)
})

test('a stop without a hang ends in order, and at once', async () => {
  const done: string[] = []
  const note = (name: string) => async () => {
    done.push(name)
  }
  const { lines, log } = createLines()
  const mailing = { stop: note('mail') }
  const parts = { servers: [], mailing, inbox: { close: note('inbox') }, close: note('rest'), log }
  const stopped = stopSite(parts, STOP_PACE)
  await jest.advanceTimersByTimeAsync(STOP_PACE.graceMs)
  await stopped
  expect(done).toEqual(['mail', 'inbox', 'rest'])
  expect(lines).toEqual([])
})
