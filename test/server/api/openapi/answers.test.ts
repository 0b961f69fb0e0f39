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

/** A request for each documented refusal of POST /api/contact, except those of BEFORE_ROUTING. */
const REFUSALS: [code: string, ask: () => PromiseLike<Response>][] = [
  ['required', () => send({ firstName: ' ', email: 'zoe@exemple' })],
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

test('these are all examples of the contact call', () => {
  const statuses = [400, 403, 408, 413, 415, 417, 421, 429, 431, 500, 503]
  const shown = statuses.flatMap((status) => {
    const { content } = describeAnswer('/api/contact', 'post', status) ?? {}
    return Object.keys(content?.[PROBLEM]?.examples ?? {})
  })
  const codes = [...REFUSALS.map(([code]) => code), ...BEFORE_ROUTING]
  expect(codes.toSorted()).toEqual(shown.toSorted())
})

test.each([
  [400, ['Retry-After', 'Form-Start-Time'], () => send({ formStartTime: String(NOON) })],
  [429, ['Retry-After', 'RateLimit', 'RateLimit-Policy'], () => sendTimes(3)],
  [415, ['Accept'], () => sendText('x', { 'Content-Type': 'text/plain' })],
  [503, ['Retry-After'], () => sendWith(new InboxUnavailable('full'))],
])('%i has the headers that are described', async (status, names, ask) => {
  const answer = await ask()
  expect(findFaults('/api/contact', 'post', answer)).toEqual([])
  const { headers } = answer
  const described = Object.keys(describeAnswer('/api/contact', 'post', status)?.headers ?? {})
  for (const name of ['X-Request-Id', 'Content-Language', 'Problem-Code', ...names]) {
    expect(headers[name.toLowerCase()]).toBeDefined()
    expect(described).toContain(name)
  }
})

test('a stored message is answered as described', async () => {
  const answer = await send()
  expect(answer.status).toBe(200)
  expect(findFaults('/api/contact', 'post', answer)).toEqual([])
})

test.each([
  ['/livez', 200],
  ['/readyz', 503],
  ['/', 200],
])('while the process stops, %s is %d, also to HEAD', async (path, expected) => {
  isStopping = true
  const answer = await get(path)
  expect(answer.status).toBe(expected)
  if (path !== '/') expect(answer.text).toBe(expected === 200 ? 'ok\n' : 'stopping\n')
  expect((await request(site.url).head(path)).status).toBe(expected)
})
