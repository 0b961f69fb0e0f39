import { once } from 'node:events'
import { connect } from 'node:net'
import { pick } from '../harness/random.ts'
import { createAddress, send } from './client.ts'

// Long, because it is a list of all that can be wrong with a request.

/** Stands in all that a visitor writes, and must stand nowhere else. */
export const CANARY = 'zqx'

const PERSON = {
  firstName: 'Zqxfirst',
  lastName: "O'Zqxlast-Lévesque",
  email: 'zqxmail+tag@zqxhost.ca',
  service: 'francophone',
  website: '',
  url: '',
  phone_hidden: '',
}

type Random = () => number
type Headers = Record<string, string | number>

let texts = 0

const createPerson = (): Record<string, unknown> => ({
  ...PERSON,
  message: `Zqxmessage ${++texts}\navec des détails.`,
  formStartTime: String(Date.now() - 60_000),
})

/** Headers in which a visitor may have written anything. */
const createHeaders = (): Headers => ({
  'X-Forwarded-For': createAddress(),
  'User-Agent': 'zqxagent',
  Referer: 'https://zqxreferer.example/zqx?zqx=zqx',
  Cookie: 'rg-language=zqx; zqxcookie=zqx',
  'X-Request-Id': 'zqxrequest',
})

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What may be wrong with the values. */
const CHANGES: object[] = [
  {},
  {},
  {},
  { url: 'https://zqx.example' },
  { email: 'zqx at zqx' },
  { message: 'zqx' },
  { message: 'zqx '.repeat(800) },
  { service: 'zqx' },
  { firstName: `zqx\u2028zqx` },
  { lastName: 'zqx'.repeat(50) },
  { formStartTime: 'zqx' },
  { formStartTime: String(Date.now() + 3_600_000) },
  { message: ['zqx'] },
  { firstName: { zqx: 'zqx' } },
  { lastName: '' },
]

/** What may be wrong with the body as a whole. */
const BREAKS: ((body: string) => string | Buffer)[] = [
  (body) => body,
  (body) => body,
  (body) => body,
  (body) => body.slice(0, -1),
  (body) => `[${body}]`,
  (body) => `"zqx ${body.length}"`,
  (body) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(body)]),
  (body) => body.replace('Zqxfirst', '\\ud800 zqx'),
  (body) => body + 'zqx'.repeat(12_000),
  (body) => body + 'zqx'.repeat(15_000),
]

const ODD_HEADERS: Headers[] = [
  {},
  {},
  {},
  { 'Content-Type': 'text/zqx' },
  { 'Content-Type': 'application/json; charset=zqx' },
  { 'Content-Encoding': 'zqx' },
  { Origin: 'https://zqx.example' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://zqx.example' },
  { 'Idempotency-Key': 'zqx key' },
  { 'Idempotency-Key': 'zqxkey' },
  { Accept: 'text/plain, zqx/zqx' },
]

async function postBody(url: string, type: string, body: string, random: Random): Promise<number> {
  const bytes = pick(random, BREAKS)(body)
  const headers = {
    ...createHeaders(),
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(bytes),
    ...pick(random, ODD_HEADERS),
  }
  return (await send(url, 'POST', headers, bytes)).status
}

const postJson = (site: string, random: Random) =>
  postBody(
    `${site}/api/contact`,
    JSON_TYPE,
    JSON.stringify({ ...createPerson(), ...pick(random, CHANGES) }),
    random,
  )

function postForm(site: string, random: Random): Promise<number> {
  const fields = { ...createPerson(), ...pick(random, CHANGES) }
  const body = new URLSearchParams(Object.entries(fields).map(([k, v]) => [k, String(v)]))
  const broken = random() < 0.1 ? `zqx=%e9&${body}` : String(body)
  return postBody(`${site}/contact`, FORM_TYPE, broken, random)
}

async function postReport(site: string, random: Random): Promise<number> {
  const person = `${PERSON.firstName} ${PERSON.lastName} <${PERSON.email}> 198.18.77.66`
  const body = JSON.stringify({
    message: `Unexpected token in ${person}: zqxmessage`,
    stack: `SyntaxError: ${person}\n    at zqx (https://zqx.example/assets/home-a_b.js:1:2)\n at ${person}`,
    path: pick(random, ['/', '/zqx', '/contact', '/error-test']),
  })
  const headers = { ...createHeaders(), 'Content-Type': JSON_TYPE }
  return (await send(`${site}/api/client-errors`, 'POST', headers, body)).status
}

const PATHS = [
  '/',
  '/contact?zqx=zqx',
  '/contact?sent=zqx',
  '/services?lang=zqx',
  '/zqx/zqxmail@zqxhost.ca',
  '/%zzzqx',
  '//zqx.example/',
  '/api/zqx',
  '/api/test-error?zqx',
  '/test-500?zqx',
  '/assets/zqx.js',
  '/sitemap.xml?zqx',
  '/politique-confidentialite',
]

async function ask(site: string, random: Random): Promise<number> {
  const method = pick(random, ['GET', 'GET', 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
  return (await send(`${site}${pick(random, PATHS)}`, method, createHeaders())).status
}

const RAW = [
  'zqx\r\n\r\n',
  'GET /zqx HTTP/9.zqx\r\n\r\n',
  'GET /zqx zqx HTTP/1.1\r\nHost: zqx\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: zqx\r\nzqx header\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: zqx\r\nZqx: \u0000zqx\r\n\r\n',
  'GET zqx://zqx HTTP/1.1\r\nHost: zqx\r\nConnection: close\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: zqx\r\nZqx: ${'zqx'.repeat(9000)}\r\n\r\n`,
  'POST /api/contact HTTP/1.1\r\nHost: zqx\r\nContent-Length: zqx\r\n\r\nzqx',
  'POST /api/contact HTTP/1.1\r\nHost: zqx\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nzqx',
  'POST /api/contact HTTP/1.1\r\nHost: zqx\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzqx\r\nzqx',
  'POST /api/contact HTTP/1.1\r\nHost: zqx\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"firstName":"zqx',
]

/** Bytes that are no proper request; resolves to the status, or 0 where the socket was closed without one. */
async function sendRaw(site: string, random: Random): Promise<number> {
  const socket = connect(Number(new URL(site).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.write(pick(random, RAW))
  // Some wait for more; a visitor would not for long.
  const timer = setTimeout(() => socket.destroy(), 100)
  await once(socket, 'close')
  clearTimeout(timer)
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)
}

const KINDS = [postJson, postJson, postForm, postForm, postReport, ask, ask, sendRaw]

/** One request of any kind, whole or broken, full of what must not be written down; resolves to its status. */
export function sendMixed(site: string, random: Random): Promise<number> {
  return pick(random, KINDS)(site, random)
}
