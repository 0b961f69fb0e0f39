import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { jest } from '@jest/globals'
import { createOutbox } from '../../../server/mail/outbox.ts'
import { STOP_PACE, type StopPace, stopSite } from '../../../server/process/stop-site.ts'
import { FakeMailQueue } from '../../support/fake-mail-queue.ts'
import { createLines, FakeMailer } from '../../support/fake-mailer.ts'

const SECOND = 1000
const never = () => new Promise<never>(() => {})

/** A server with a request that ends only when it is cut. */
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

/** A stop that meets a slow request, a mail server that says nothing, and a store that notes nothing. */
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
  const drain = { grace: 10, patience: 20, interval: 1 }
  expect((await stopHung({ drain, mailMs: 30, wholeMs: 50 })).duration).toBe(50)
})

test('a request that never ends leaves time to mail, and a moment to note it', () => {
  const { drain, mailMs, wholeMs } = STOP_PACE
  expect(drain.grace + drain.patience + mailMs + SECOND).toBeLessThanOrEqual(wholeMs)
})

test('what does not hang ends in order, and at once', async () => {
  const done: string[] = []
  const note = (name: string) => async () => {
    done.push(name)
  }
  const { lines, log } = createLines()
  const mailing = { stop: note('mail') }
  const parts = { servers: [], mailing, inbox: { close: note('inbox') }, close: note('rest'), log }
  const stopped = stopSite(parts, STOP_PACE)
  await jest.advanceTimersByTimeAsync(STOP_PACE.drain.grace)
  await stopped
  expect(done).toEqual(['mail', 'inbox', 'rest'])
  expect(lines).toEqual([])
})
