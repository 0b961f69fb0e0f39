import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { drain } from '../../../server/process/stop-site.ts'
import { until } from '../../../tools/harness/raw-client.ts'

const PACE = { graceMs: 200, answersMs: 5000, idleCheckMs: 10 }
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

let server: Server
let answer: () => void
const open = new Set<Socket>()

beforeEach(async () => {
  const answered = Promise.withResolvers<void>()
  answer = answered.resolve
  server = createServer(async (req, res) => {
    if (req.method === 'POST') await text(req)
    else if (req.url === '/slow') await answered.promise
    res.end('whole')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  for (const socket of open) socket.destroy()
  open.clear()
  server.close()
})

async function ask(request: string): Promise<{ socket: Socket; said: () => string }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  open.add(socket)
  let said = ''
  socket.on('data', (chunk) => {
    said += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(request)
  return { socket, said: () => said }
}

test('new requests are accepted during the grace time, and their connections closed', async () => {
  const before = await ask(GET)
  await until(() => before.said().includes('whole'))
  expect(before.said()).toMatch(/^Connection: keep-alive/m)
  const drained = drain([server], PACE)
  const after = await ask(GET)
  const ended = once(after.socket, 'end')
  await until(() => after.said().includes('whole'))
  expect(after.said()).toMatch(/^Connection: close/m)
  await ended
  await drained
  expect(server.listening).toBe(false)
})

test('requests in flight are answered whole, and idle connections closed', async () => {
  const idle = await ask(GET)
  const slow = await ask('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const body = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\na'
  const uploading = await ask(body)
  await until(() => idle.said().includes('whole'))
  const drained = drain([server], PACE)
  await once(idle.socket, 'close')
  expect(server.listening).toBe(false)
  uploading.socket.write('b')
  await until(() => uploading.said().endsWith('whole'))
  answer()
  await until(() => slow.said().endsWith('whole'))
  await drained
})

test('a request that never ends is cut', async () => {
  const { socket } = await ask('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await drain([server], { ...PACE, answersMs: 50 })
  if (!socket.closed) await once(socket, 'close')
  expect(socket.closed).toBe(true)
})
