import { jest } from '@jest/globals'
import { describeLimit } from '../../../shared/contact-sentences.ts'
import { company } from '../../../shared/content/company.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { formatPhone } from '../../../shared/format.ts'
import { createPost } from '../../../tools/harness/client.ts'
import { hangUp, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  createVisitor,
  getStatuses,
  MINUTE,
  NOON,
  numbered,
  restartSite,
  send,
  sendBody,
  sendForm,
  setUpSitePerTest,
  site,
  VALID,
} from '../setup.ts'

setUpSitePerTest()

const visitor = createVisitor()

const sendInARow = (count: number) => getStatuses(count, (index) => send(numbered(index), visitor))

test('the answer has the rest of the limit; the refusal the time to wait, the policy, and the other ways to reach the firm', async () => {
  const first = await send({}, visitor)
  expect(first.headers.ratelimit).toMatch(/r=1; t=\d+/)
  expect(first.headers['ratelimit-policy']).toMatch(/q=2; w=3600/)
  site.clock.time += 20 * MINUTE
  await sendInARow(1)
  const { headers, body } = await send(numbered(9), visitor).expect(429)
  expect(headers['retry-after']).toBe(String(40 * 60))
  expect(headers['ratelimit-policy']).toMatch(/q=2; w=3600/)
  expect(headers.ratelimit).toMatch(/r=0; t=\d+/)
  expect(body).toMatchObject({ status: 429, code: 'limit-reached' })
  const limit = describeLimit({ count: 2, windowMinutes: 60 }, fr.contact.form, 'fr')
  for (const words of [limit, formatPhone(company.phone, 'fr'), company.email]) {
    expect(body.detail).toContain(words)
  }
})

test('visitors who hang up before the answer count too', async () => {
  for (let index = 0; index < 6; index += 1) {
    const { path, headers, body } = createPost({ ...VALID, ...numbered(index) })
    await hangUp(site, writeRequest('POST', path, { ...headers, ...visitor }, body))
  }
  await until(async () => (await site.messages()).length >= 2)
  expect((await send(numbered(7), visitor)).status).toBe(429)
  expect(await site.messages()).toHaveLength(2)
})

test('limit and window come from the environment, and the sentence names them', async () => {
  await restartSite({ environment: { CONTACT_LIMIT: '1', CONTACT_WINDOW_MINUTES: '5' } })
  expect(await sendInARow(1)).toEqual([200])
  const { body, headers } = await send(numbered(2), { Cookie: 'rg-language=en' }).expect(429)
  expect(headers['retry-after']).toBe('300')
  const limit = describeLimit({ count: 1, windowMinutes: 5 }, en.contact.form, 'en')
  expect(body.detail).toContain(limit)
  expect(body.detail).toContain(formatPhone(company.phone, 'en'))
  site.clock.time += 5 * MINUTE
  expect((await send(numbered(3))).status).toBe(200)
})

test('refused requests do not count', async () => {
  const refused = [
    await send({ email: 'no' }, visitor),
    await send({ formStartTime: String(NOON) }, visitor),
    await sendBody('{', visitor),
    await send({}, { ...visitor, 'Sec-Fetch-Site': 'cross-site' }),
    await send({}, { ...visitor, 'Content-Type': 'text/plain' }),
    await sendForm({ message: '' }, visitor),
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 403, 415, 400])
  expect(await sendInARow(3)).toEqual([200, 200, 429])
  // With the limit used up, a faulty request still gets its own refusal.
  expect((await send({ email: 'no' }, visitor)).status).toBe(400)
})

test('trapped messages count', async () => {
  await send({ website: 'x' }, visitor)
  expect(await sendInARow(2)).toEqual([200, 429])
})
test('the same content from the same address gets the first reference and time, by the form too, and counts', async () => {
  const first = await send({}, visitor)
  site.clock.time += 1000
  const { headers } = await sendForm({}, visitor)
  expect(headers.location).toBe(`/contact?sent=${first.body.reference}&lang=fr`)
  await sendForm({}, visitor).expect(429)
  site.clock.time += 60 * MINUTE
  expect((await send({}, visitor).expect(200)).body).toEqual(first.body)
  expect(await site.messages()).toHaveLength(1)
})

test.each(['!', 'a'.repeat(255), '~{}"'])('an Idempotency-Key is accepted: %s', async (value) => {
  expect((await send({}, { 'Idempotency-Key': value })).status).toBe(200)
})

test.each(['a b', 'a'.repeat(256), 'clé'])('this Idempotency-Key is 400: %s', async (value) => {
  const headers = { 'Idempotency-Key': Buffer.from(value).toString('latin1') }
  const { body } = await send({}, headers).expect(400)
  expect(body.code).toBe('bad-idempotency-key')
  expect(await site.messages()).toEqual([])
})
test('only a new message wakes the outbox', async () => {
  const wakeMailing = jest.fn()
  await restartSite({ parts: { wakeMailing } })
  const key = { 'Idempotency-Key': 'key' }
  await send({ message: 'short' }).expect(400)
  expect(wakeMailing).not.toHaveBeenCalled()
  for (const _ of ['new', 'again']) await send({}, key).expect(200)
  expect(wakeMailing).toHaveBeenCalledTimes(1)
  await sendForm({ message: 'Another message' }).expect(303)
  expect(wakeMailing).toHaveBeenCalledTimes(2)
})
