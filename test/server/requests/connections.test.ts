import { createPost, postMessage } from '../../../tools/harness/client.ts'
import { read } from '../../../tools/harness/project.ts'
import {
  exchange,
  hangUp,
  openSocket,
  until,
  writeRequest,
} from '../../../tools/harness/raw-client.ts'
import { SHORT_LIMITS } from '../../support/site.ts'
import { getRawStatuses, openSite, setUpSite, site } from '../setup.ts'

const formStartTime = '0'

setUpSite({ limits: SHORT_LIMITS, environment: { TRUST_PROXY: '' } })

test.each([
  ['a head that stops', 'GET / HTTP/1.1\r\nHost: localhost\r\nX'],
  [
    'a body that stops',
    writeRequest(
      'POST',
      '/api/contact',
      { 'Content-Type': 'application/json', 'Content-Length': 9 },
      '{',
    ),
  ],
  [
    'a body that goes on',
    writeRequest(
      'POST',
      '/api/contact',
      { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      `ffff\r\n${'x'.repeat(0xffff)}\r\n`,
    ),
  ],
])('%s is cut, and the site goes on', async (_name, request) => {
  expect(await getRawStatuses(request)).toEqual([408])
  expect(await getRawStatuses(writeRequest('GET', '/'))).toEqual([200])
})

test.each(['hello\r\n\r\n', 'GET /zqx zqx HTTP/1.1\r\n\r\n'])(
  'what is no request gets 400: %j',
  async (request) => {
    expect(await getRawStatuses(request)).toEqual([400])
  },
)

// A socket that was reset has no address: its sender would escape the limit.
test('complete messages followed by a reset are no more than the limit', async () => {
  for (let index = 0; index < 6; index += 1) {
    const { path, headers, body } = createPost({
      formStartTime,
      message: `Message numéro ${index}.`,
    })
    const socket = await openSocket(site)
    socket.on('error', () => {})
    await new Promise((resolve) => {
      socket.once('close', resolve)
      socket.write(writeRequest('POST', path, headers, body), () => socket.resetAndDestroy())
    })
  }
  const { status } = await postMessage(site.url, { formStartTime, message: 'Le dernier message.' })
  const kept = await site.messages()
  expect(kept.length).toBeLessThanOrEqual(2)
  expect(status).toBe(kept.some(({ message }) => message === 'Le dernier message.') ? 200 : 429)
})

test('a message that is sent again behind one without an answer is kept once', async () => {
  const { length } = await site.messages()
  const { path, headers, body } = createPost({ formStartTime, message: 'Bonjour deux fois.' })
  const request = writeRequest('POST', path, { ...headers, Connection: undefined }, body)
  await hangUp(site, request + request)
  await exchange(site, writeRequest('POST', path, headers, body))
  const twice = (await site.messages()).slice(length)
  expect(twice.length).toBeLessThanOrEqual(1)
})

test('connections stay open longer than the proxy reuses them', async () => {
  const [, proxySeconds] = /^\s*keepalive (\d+)s$/m.exec(read('Caddyfile')) ?? []
  const usual = await openSite()
  const keeping = await openSocket(usual)
  let answer = ''
  keeping.on('data', (data) => {
    answer += data
  })
  keeping.write(writeRequest('GET', '/livez', { Connection: 'keep-alive' }))
  const siteSeconds = await until(() => /^Keep-Alive: timeout=(\d+)/im.exec(answer)?.[1])
  keeping.destroy()
  await usual.stop()
  expect(Number(siteSeconds)).toBeGreaterThan(Number(proxySeconds))
})
