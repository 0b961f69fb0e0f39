import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { jest } from '@jest/globals'
import { createOutbox } from '../../server/mail/outbox.ts'
import { drain, STOP_PACE, stopSite } from '../../server/stop-site.ts'
import { listenLocally } from '../../tools/harness/process.ts'
import { openSocket, until } from '../../tools/harness/raw-client.ts'
import { createMailQueue } from '../support/fake-mail-queue.ts'
import { createLines, FakeMailer } from '../support/fake-mailer.ts'
import { PERIODS } from '../support/inbox.ts'

const SECOND = 1000
const DRAIN_PACE = { ...STOP_PACE, graceMs: 200, answersMs: 600_000, idleCheckMs: 10 }
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const GET_SLOW = GET.replace('/', '/slow')

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

describe('the stop', () => {
  beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 4, 4, 12) }))
  afterEach(() => jest.useRealTimers())

  test('a stop ends within its budget, while a request, the mail server and the store hang', async () => {
    const queue = createMailQueue()
    const mailer = new FakeMailer()
    const { lines, log } = createLines()
    queue.add('one')
    queue.settle = (deadline) =>
      new Promise((_, reject) => setTimeout(reject, deadline - Date.now(), new Error('deadline')))
    mailer.answer = never
    const outbox = createOutbox({ queue, mailer, log, periods: PERIODS })
    outbox.start()
    await jest.advanceTimersByTimeAsync(0)
    const servers = [new SlowServer() as unknown as Server]
    const parts = {
      servers,
      mailing: outbox,
      inbox: { close: never },
      closeVite: async () => {},
      log,
    }
    const start = Date.now()
    const stopped = stopSite(parts).then(() => Date.now() - start)
    await jest.advanceTimersByTimeAsync(60 * SECOND)
    expect(await stopped).toBeLessThan(24 * SECOND)
    expect(JSON.stringify(lines)).toContain('shutdown timed out')
  })

  test('a stop without a hang ends in order, and at once', async () => {
    const done: string[] = []
    const note = (name: string) => async () => {
      done.push(name)
    }
    const { lines, log } = createLines()
    const inbox = { close: note('inbox') }
    const parts = {
      servers: [],
      mailing: { stop: note('mail') },
      inbox,
      closeVite: note('vite'),
      log,
    }
    const stopped = stopSite(parts)
    await jest.advanceTimersByTimeAsync(STOP_PACE.graceMs)
    await stopped
    expect(done).toEqual(['vite', 'mail', 'inbox'])
    expect(lines).toEqual([])
  })
})

describe('the drain', () => {
  let server: Server
  let answer: () => void
  let url: string

  beforeEach(async () => {
    const answered = Promise.withResolvers<void>()
    answer = answered.resolve
    // A connection that becomes idle stays open, unless the drain closes it.
    server = createServer({ keepAliveTimeout: 0 }, async (req, res) => {
      if (req.method === 'POST') await text(req)
      else if (req.url === '/slow') await answered.promise
      res.end('whole')
    })
    url = `http://127.0.0.1:${await listenLocally(server)}`
  })
  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })

  async function ask(request: string): Promise<{ socket: Socket; received: () => string }> {
    const socket = await openSocket({ url })
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    socket.write(request)
    return { socket, received: () => received }
  }

  test('requests in flight are answered whole, and idle connections closed', async () => {
    const idle = await ask(GET)
    const slow = await ask(GET_SLOW)
    const body = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\na'
    const uploading = await ask(body)
    await until(() => idle.received().includes('whole'))
    const drained = drain([server], DRAIN_PACE)
    await once(idle.socket, 'close')
    expect(server.listening).toBe(false)
    uploading.socket.write('b')
    await until(() => uploading.received().endsWith('whole'))
    answer()
    await until(() => slow.received().endsWith('whole'))
    await drained
  })

  test('a request that never ends is cut', async () => {
    const { socket } = await ask(GET_SLOW)
    await drain([server], { ...DRAIN_PACE, answersMs: 50 })
    if (!socket.closed) await once(socket, 'close')
    expect(socket.closed).toBe(true)
  })
})
