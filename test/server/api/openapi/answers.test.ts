import { join } from 'node:path'
import request, { type Response } from 'supertest'
import { createDocument } from '../../../../server/api/openapi/document.ts'
import { createSqliteInbox } from '../../../../server/inbox/create-inbox.ts'
import { type Inbox, InboxUnavailable } from '../../../../server/inbox/inbox.ts'
import { createFolder } from '../../../support/folders.ts'
import { readDescription } from '../../../support/openapi.ts'
import { BEHIND_PROXY } from '../../../support/site.ts'
import {
  createVisitor,
  get,
  NOON,
  sendBody,
  send as sendMessage,
  setUpSite,
  site,
} from '../../setup.ts'

const {
  findFaults,
  findExample,
  describe: describeAnswer,
} = readDescription(createDocument('http://localhost', { count: 2, windowMinutes: 60 }))

/** If set, the store throws this error instead of storing a message. */
let fault: Error | undefined
let isStopping = false
afterEach(() => {
  fault = undefined
  isStopping = false
})

const database = join(createFolder(), 'inbox.sqlite')
const inbox = createSqliteInbox({ path: database, now: () => NOON })
afterAll(() => inbox.close())
const failing: Inbox = {
  ...inbox,
  async submit(...args) {
    if (fault) throw fault
    return inbox.submit(...args)
  },
}
const parts = { inbox: failing, isStopping: () => isStopping }
setUpSite({ environment: BEHIND_PROXY, parts })

const ENGLISH = { 'Accept-Language': 'en' }
const send = (change: object = {}, headers: object = {}) =>
  sendMessage(change, { ...ENGLISH, ...headers })
const sendText = (text: string, headers: object = {}) => sendBody(text, { ...ENGLISH, ...headers })
const sendBytes = (bytes: Buffer) =>
  request(site.url)
    .post('/api/contact')
    .set({ ...createVisitor(), 'Content-Type': 'application/json', ...ENGLISH })
    .serialize((body) => body as unknown as string)
    .send(bytes)

async function sendTimes(count: number, change: object = {}): Promise<Response> {
  const visitor = createVisitor()
  for (let sent = 1; sent < count; sent += 1) await send(change, visitor)
  return send(change, visitor)
}

async function sendWith(error: Error): Promise<Response> {
  fault = error
  return send({ message: 'A message that is not kept.' })
}

/** For each code of the contact call, a request that gets it. */
const REFUSALS: [code: string, ask: () => PromiseLike<Response>][] = [
  ['too-fast', () => send({ formStartTime: String(NOON) })],
  ['required', () => send({ firstName: ' ' })],
  ['email-invalid', () => send({ email: 'zoe@exemple' })],
  ['message-too-short', () => send({ message: 'Bonjour' })],
  ['message-too-long', () => send({ message: 'a'.repeat(2001) })],
  ['wrong-type', () => send({ service: 1 })],
  ['unknown-service', () => send({ service: 'plumbing' })],
  ['start-time-invalid', () => send({ formStartTime: 'noon' })],
  ['line-break', () => send({ lastName: 'a\nb' })],
  ['too-long', () => send({ firstName: 'a'.repeat(101) })],
  ['broken-text', () => send({ message: `A lone surrogate: \ud800` })],
  ['malformed-json', () => sendText('{')],
  ['not-utf8', () => sendBytes(Buffer.from([0x22, 0xff, 0x22]))],
  ['not-an-object', () => sendText('[]')],
  ['bad-idempotency-key', () => send({}, { 'Idempotency-Key': 'a b' })],
  ['cross-site', () => send({}, { 'Sec-Fetch-Site': 'cross-site' })],
  ['too-large', () => sendText('x'.repeat(33_000))],
  ['unsupported-media-type', () => sendText('x', { 'Content-Type': 'text/plain' })],
  ['limit-reached', () => sendTimes(3)],
  ['too-many-refusals', () => sendTimes(31, { email: '' })],
  ['server-error', () => sendWith(new Error('Something else'))],
  ['unavailable', () => sendWith(new InboxUnavailable('full'))],
]

const PROBLEM = 'application/problem+json'

test.each(REFUSALS)('%s is answered as in its example', async (code, ask) => {
  const answer = await ask()
  expect(findFaults('/api/contact', 'post', answer)).toEqual([])
  const example = findExample('/api/contact', 'post', answer.status, PROBLEM, code)
  expect({ ...answer.body, requestId: undefined }).toEqual({
    ...(example as object),
    requestId: undefined,
  })
})

/** The site refuses these requests before routing; serve.test.ts and host-check.test.ts test the answers. */
const BEFORE_ROUTING = [
  'malformed-request',
  'request-timeout',
  'expectation-failed',
  'misdirected',
  'headers-too-large',
]

test('these are all codes of the contact call', () => {
  const statuses = [400, 403, 408, 413, 415, 417, 421, 429, 431, 500, 503]
  const shown = statuses.flatMap((status) => {
    const { content } = describeAnswer('/api/contact', 'post', status) ?? {}
    return Object.keys(content?.[PROBLEM]?.examples ?? {})
  })
  const codes = [...REFUSALS.map(([code]) => code), ...BEFORE_ROUTING]
  expect(codes.toSorted()).toEqual(shown.toSorted())
})

test.each([
  ['too-fast', 400, ['Retry-After', 'Form-Start-Time']],
  ['limit-reached', 429, ['Retry-After', 'RateLimit', 'RateLimit-Policy']],
  ['unsupported-media-type', 415, ['Accept']],
  ['unavailable', 503, ['Retry-After']],
])('%s has the headers that are described', async (code, status, names) => {
  const ask = new Map(REFUSALS).get(code) ?? send
  const { headers } = await ask()
  const described = Object.keys(describeAnswer('/api/contact', 'post', status)?.headers ?? {})
  for (const name of ['X-Request-Id', 'Content-Language', 'Problem-Code', ...names]) {
    expect(headers[name.toLowerCase()]).toBeDefined()
    expect(described).toContain(name)
  }
})

test('to a client that prefers text a refusal is the sentence alone', async () => {
  const answer = await send({ email: 'no' }, { Accept: 'text/plain' })
  expect(findFaults('/api/contact', 'post', answer)).toEqual([])
  const example = findExample('/api/contact', 'post', 400, PROBLEM, 'email-invalid')
  expect(example).toHaveProperty('detail', answer.text)
})

test.each([
  ['/api/contact', 'post', 200, () => send()],
  ['/api/openapi.json', 'get', 200, () => get('/api/openapi.json', ENGLISH)],
  ['/livez', 'get', 200, () => get('/livez', ENGLISH)],
  ['/readyz', 'get', 200, () => get('/readyz', ENGLISH)],
])('%s, %s: %i is as described', async (path, method, status, ask) => {
  const answer = await ask()
  expect(answer.status).toBe(status)
  expect(findFaults(path, method, answer)).toEqual([])
})

test.each([
  ['/livez', 200],
  ['/readyz', 503],
  ['/', 200],
])('while the process stops, %s is %d, also to HEAD', async (path, expected) => {
  isStopping = true
  const answer = await get(path)
  expect(answer.status).toBe(expected)
  if (path !== '/') expect(findFaults(path, 'get', answer)).toEqual([])
  expect((await request(site.url).head(path)).status).toBe(expected)
})
