import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createLog } from '../../../server/log.ts'
import { createPost, postMessage } from '../../../tools/harness/client.ts'
import { read } from '../../../tools/harness/project.ts'
import { exchange, openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { SHORT_LIMITS } from '../../support/site.ts'
import { createVisitor, openSite, setUpSite, site, VALID } from '../setup.ts'

const START = 'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const LENGTH = `${START}Content-Length: 1\r\n`
const CHUNKED = `${START}Transfer-Encoding: chunked\r\n\r\n`
const MALFORMED = [400, 'malformed-request'] as const
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n'

setUpSite({ limits: SHORT_LIMITS })

const getStatuses = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

const headers = (count: number) =>
  Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join('')

test.each([
  ['no HTTP', 'hello\r\n\r\n', ...MALFORMED],
  ['a space in a name', `${GET}Bad Name: 1\r\n\r\n`, ...MALFORMED],
  ['two lengths', `${LENGTH}Content-Length: 2\r\n\r\n`, ...MALFORMED],
  ['a length and chunks', `${LENGTH}Transfer-Encoding: chunked\r\n\r\n`, ...MALFORMED],
  ['a broken chunk', `${CHUNKED}ZZ\r\n`, ...MALFORMED],
  ['a long extension of a chunk', `${CHUNKED}1;${'x'.repeat(20_000)}`, 413, 'too-large'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ...MALFORMED],
  ['a head without end', `${GET}X: ${'x'.repeat(300_000)}`, 431, 'headers-too-large'],
  ['a long head', `${GET}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'headers-too-large'],
  ['too many headers', `${GET}${headers(100)}\r\n`, 431, 'headers-too-large'],
  ['far too many headers', `${GET}${headers(900)}\r\n`, 431, 'headers-too-large'],
  ['a head that stops', `${GET}X`, 408, 'request-timeout'],
  ['a body that stops', `${START}Content-Length: 9\r\n\r\n{`, 408, 'request-timeout'],
  ['an expectation', `${START}Expect: x100-continue\r\n\r\n`, 417, 'expectation-failed'],
  ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil\r\n\r\n', 405, 'method-not-allowed'],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', ...MALFORMED],
  ['two Hosts', `${GET}Host: localhost\r\n\r\n`, ...MALFORMED],
  [
    'an invalid URL',
    'GET http://[::1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    400,
    'bad-path',
  ],
])('%s gets a problem, and its connection ends', async (_name, request, status, code) => {
  const answer = await exchange(site, request)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(getStatuses(answer)).toEqual([status])
  expect(head).toMatch(/^Content-Type: application\/problem\+json; charset=utf-8$/im)
  expect(head).toMatch(/^Connection: close$/im)
  expect(/^Problem-Code: (.*)$/im.exec(head)?.[1]).toBe(code)
  expect(head).toMatch(/^Date: .* GMT$/im)
  expect(Number(/^Content-Length: (\d+)$/im.exec(head)?.[1])).toBe(Buffer.byteLength(body))
  const requestId = /^X-Request-Id: (.*)$/im.exec(head)?.[1]
  expect(JSON.parse(body)).toMatchObject({ status, code, requestId, detail: expect.any(String) })
  const entry = await until(() => site.logged.find((each) => each.requestId === requestId))
  expect(entry).toMatchObject({ page: 'refused', status, address: '127.0.0.0/24' })
})

test('a request that ends in the middle gets a problem, too', async () => {
  for (const request of [`${GET}X`, `${START}Content-Length: 9\r\n\r\n{`]) {
    const socket = await openSocket(site)
    socket.end(request)
    expect(getStatuses(String(await buffer(socket)))).toEqual([400])
  }
})

/** A page that is not stored yet is rendered first. The next request's refusal must wait for its answer. */
test.each([
  ['/health-safety', 'BROKEN', 400],
  ['/public-safety', 'GET http://[::1 HTTP/1.1\r\nHost: localhost', 400],
  ['/francophone-services', `${CHUNKED}ZZ`, 400],
  ['/services', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example', 405],
])('%s is answered before the refused request that follows it: %s', async (path, next, status) => {
  const first = `GET ${path} HTTP/1.1\r\nHost: localhost`
  const answer = await exchange(site, `${first}\r\n\r\n${next}\r\n\r\n`)
  expect(getStatuses(answer)).toEqual([200, status])
  expect(answer).toMatch(/<\/html>\s*HTTP\/1\.1 40[05] /)
})

test('an answer gets no problem after it when its own request breaks', async () => {
  // The site answers a probe before it reads the broken body.
  const get = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n'
  const broken = `${get}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`
  expect(getStatuses(await exchange(site, broken))).toEqual([200])
})

test('a request after one that closes the connection is not handled: nobody could get its answer', async () => {
  const formStartTime = String(site.clock.time - 60_000)
  const { path, headers, body } = createPost({ formStartTime, message: 'Number two of two' })
  const keeping = { ...headers, Connection: undefined }
  const first = writeRequest('GET', '/', { Expect: 'nothing', Connection: undefined })
  const answer = await exchange(site, first + writeRequest('POST', path, keeping, body))
  expect(getStatuses(answer)).toEqual([417])
  const { reference } = await postMessage(site.url, { formStartTime })
  expect(await site.messages()).toMatchObject([{ reference: `${reference}` }])
})

test('an upgrade request is answered as any other', async () => {
  const upgrade = { Connection: 'Upgrade, close', Upgrade: 'websocket' }
  expect(getStatuses(await exchange(site, writeRequest('GET', '/', upgrade)))).toEqual([200])
})

describe('a client that asks before it sends a body', () => {
  const asked = { Expect: '100-continue', 'Content-Length': 2, 'Content-Type': 'application/json' }

  test('is invited, but not over HTTP/1.0', async () => {
    const request = writeRequest('POST', '/api/contact', asked, '{}')
    expect(getStatuses(await exchange(site, request))).toEqual([100, 400])
    const old = request.replace('HTTP/1.1', 'HTTP/1.0')
    expect(getStatuses(await exchange(site, old))).toEqual([400])
  })

  test.each([
    ['too large', { 'Content-Length': 1_000_000 }, 413],
    ['of another type', { 'Content-Type': 'text/csv' }, 415],
    ['from elsewhere', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ])('is refused at once when the body is %s', async (_name, headers, status) => {
    const keeping = { Connection: 'keep-alive', ...asked, ...headers }
    const answer = await exchange(site, writeRequest('POST', '/api/contact', keeping))
    expect(getStatuses(answer)).toEqual([status])
    expect(answer).toMatch(/^Connection: close\r$/im)
  })
})

test('a client that has disconnected breaks nothing', async () => {
  const socket = await openSocket(site)
  socket.write('BROKEN', () => socket.resetAndDestroy())
  await once(socket, 'close')
  expect(getStatuses(await exchange(site, writeRequest('GET', '/')))).toEqual([200])
})

test('a client that stops reading is cut, one that waits between two requests is not', async () => {
  const patient = await openSite({ limits: { timeout: 100 } })
  const staying = await openSocket(patient)
  staying.write(`${GET}\r\n`)
  const [first] = await once(staying, 'data')
  // Two hundred answers with this file are too large for the socket's buffers.
  const script = /src="(\/assets\/index-[^"]+)"/.exec(first)?.[1] ?? ''
  const deaf = await openSocket(patient)
  deaf.on('error', () => {}).pause()
  deaf.write(`GET ${script} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(200))
  await until(() => patient.logged.some(({ page, left }) => page === 'file' && left))
  deaf.destroy()
  staying.end(`${GET}\r\n`)
  expect(getStatuses(String(await buffer(staying)))).toContain(200)
  await patient.stop()
})

test('an error in an error handler is a plain 500, without a stack', async () => {
  const failing = await openSite({
    parts: {
      assets() {
        throw new Error('in the assets')
      },
      log: Object.assign(createLog('silent'), {
        child() {
          throw new Error('in the error handler')
        },
      }),
    },
  })
  const answer = await exchange(failing, writeRequest('GET', '/assets/none.js'))
  await failing.stop()
  expect(getStatuses(answer)).toEqual([500])
  expect(answer).toContain('"code":"server-error"')
  expect(answer).not.toMatch(/at .*\.ts:\d/)
})

test('connections beyond the limit are refused, and logged once', async () => {
  const small = await openSite({ limits: { maxConnections: 2 } })
  const { port } = new URL(small.url)
  const held = await Promise.all([1, 2].map(() => openSocket(small)))
  for (const _ of [1, 2, 3]) {
    const refused = connect(Number(port), '127.0.0.1')
    refused.on('error', () => {})
    await once(refused, 'close')
  }
  const warnings = () => small.logged.filter(({ msg }) => String(msg).includes('too many are open'))
  await until(() => warnings().length > 0)
  expect(warnings()).toHaveLength(1)
  for (const socket of held) socket.destroy()
  await small.stop()
})

const MEGABYTE = 'x'.repeat(1024 * 1024)
const CHUNK = `${MEGABYTE.length.toString(16)}\r\n${MEGABYTE}\r\n`

/** Sends the whole request before it reads; resolves to the status, or to 0 if the connection is cut. */
function sendThenRead(request: string): Promise<number> {
  const socket = connect(Number(new URL(site.url).port), '127.0.0.1').pause()
  return new Promise((resolve) => {
    socket.on('error', () => resolve(0)).on('close', () => resolve(0))
    socket.once('data', (answer) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1]))
      socket.destroy()
    })
    socket.write(request, () => socket.resume())
  })
}

test('a request that never ends is cut after the request timeout', async () => {
  const socket = await openSocket(site)
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  socket.write(writeRequest('POST', '/api/contact', headers))
  const sending = setInterval(() => socket.write(CHUNK), 20)
  await until(() => socket.destroyed)
  clearInterval(sending)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})

describe('with the usual limits', () => {
  setUpSite()

  const ways = [
    [{ 'Content-Length': 5 * MEGABYTE.length }, MEGABYTE.repeat(5)],
    [{ 'Transfer-Encoding': 'chunked' }, `${CHUNK.repeat(5)}0\r\n\r\n`],
  ] as const

  test.each([
    ['/api/contact', 'application/json', 413],
    ['/contact', 'application/x-www-form-urlencoded', 413],
    ['/api/contact', 'text/plain', 415],
    ['/nowhere', 'text/plain', 404],
  ])('a client that sends 5 MB to %s as %s gets %d each time', async (path, type, status) => {
    for (const [length, body] of ways) {
      for (const Connection of ['close', 'keep-alive']) {
        const sent = { ...length, Connection }
        for (let time = 0; time < 5; time += 1) {
          const headers = { ...sent, 'Content-Type': type, ...createVisitor() }
          const got = await sendThenRead(writeRequest('POST', path, headers, body))
          expect({ sent, got }).toEqual({ sent, got: status })
        }
      }
    }
  })
})

test('a client that ends its side after a message gets its answer', async () => {
  const { path, headers, body } = createPost({ formStartTime: VALID.formStartTime })
  const socket = connect({ port: Number(new URL(site.url).port), allowHalfOpen: true })
  socket.end(writeRequest('POST', path, { ...headers, Connection: undefined }, body))
  expect(getStatuses(String(await buffer(socket)))).toEqual([200])
})

test('connections stay open longer than the proxy reuses them', async () => {
  const [, proxySeconds] = /^\s*keepalive (\d+)s$/m.exec(read('Caddyfile')) ?? []
  const keeping = writeRequest('GET', '/livez', { Connection: 'keep-alive' })
  const usual = await openSite()
  const [, siteSeconds] = /^Keep-Alive: timeout=(\d+)/im.exec(await exchange(usual, keeping)) ?? []
  await usual.stop()
  expect(Number(siteSeconds)).toBeGreaterThan(Number(proxySeconds))
})
