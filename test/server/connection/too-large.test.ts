import { connect } from 'node:net'
import { openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { SHORT_LIMITS } from '../../support/site.ts'
import { createVisitor, setUpSite, site, startSite } from '../setup.ts'

const REQUESTS = 5
const MEGABYTES = 5
const MEGABYTE = 'x'.repeat(1024 * 1024)

setUpSite()

const chunk = `${MEGABYTE.length.toString(16)}\r\n${MEGABYTE}\r\n`
const ways: [name: string, headers: Record<string, string | number>, body: string][] = [
  [
    'with its length',
    { 'Content-Length': MEGABYTES * MEGABYTE.length },
    MEGABYTE.repeat(MEGABYTES),
  ],
  ['in chunks', { 'Transfer-Encoding': 'chunked' }, `${chunk.repeat(MEGABYTES)}0\r\n\r\n`],
]
const targets: [path: string, type: string, status: number][] = [
  ['/api/contact', 'application/json', 413],
  ['/contact', 'application/x-www-form-urlencoded', 413],
  ['/api/contact', 'text/plain', 415],
  ['/nowhere', 'text/plain', 404],
]

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

test.each(
  targets.flatMap(([path, type, status]) =>
    ways.flatMap(([name, headers, body]) =>
      ['close', 'keep-alive'].map((connection) => ({
        name: `${connection}, ${name}`,
        ...{ path, type, status, headers, body, connection },
      })),
    ),
  ),
)(
  'a client that sends 5 MB to $path ($type, $name) gets $status each time',
  async ({ path, type, status, headers, body, connection }) => {
    const statuses: number[] = []
    for (let time = 0; time < REQUESTS; time += 1) {
      const all = { ...headers, 'Content-Type': type, Connection: connection, ...createVisitor() }
      statuses.push(await sendThenRead(writeRequest('POST', path, all, body)))
    }
    expect(statuses).toEqual(Array.from({ length: REQUESTS }, () => status))
  },
)

test('a request that never ends is cut after the request timeout', async () => {
  const short = await startSite({ limits: SHORT_LIMITS })
  const socket = await openSocket(short)
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  socket.write(writeRequest('POST', '/api/contact', headers))
  const sending = setInterval(() => socket.write(chunk), 20)
  await until(() => socket.destroyed)
  clearInterval(sending)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  await short.stop()
})
