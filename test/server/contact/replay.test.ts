import { jest } from '@jest/globals'
import {
  createVisitor,
  getStatuses,
  restartSite,
  send,
  sendForm,
  setUpSitePerTest,
  site,
  VALID,
} from '../setup.ts'

const OTHER = { message: 'Un tout autre message.' }

setUpSitePerTest()

describe('the same content from the same address', () => {
  test('is answered with the first reference and time, and stored once', async () => {
    const visitor = createVisitor()
    const first = await send({}, visitor)
    site.clock.time += 1000
    const again = await send({}, visitor)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(await site.messages()).toHaveLength(1)
  })

  test.each([
    ['with spaces around a name', { firstName: ` ${VALID.firstName} ` }],
    ['decomposed', { firstName: VALID.firstName.normalize('NFD') }],
    ['with CRLF', { message: VALID.message.replace('\n', '\r\n') }],
    ['with another formStartTime', { formStartTime: '1' }],
  ])('is the same %s', async (_name, change) => {
    const visitor = createVisitor()
    const first = await send({}, visitor)
    expect((await send(change, visitor)).body).toEqual(first.body)
    expect(await site.messages()).toHaveLength(1)
  })

  test('is the same by the form without JavaScript', async () => {
    const visitor = createVisitor()
    const { body } = await send({}, visitor)
    const { headers } = await sendForm({}, visitor)
    expect(headers.location).toBe(`/contact?sent=${body.reference}&lang=fr`)
  })
})

describe('the same Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'k-1' }

  test('does not count, also when the limit is used up', async () => {
    const visitor = createVisitor()
    const first = await send({}, { ...visitor, ...key })
    expect((await send({}, { ...visitor, ...key })).body).toEqual(first.body)
    expect(await getStatuses(2, () => send(OTHER, visitor))).toEqual([200, 429])
    const replayed = await send({}, { ...visitor, ...key })
    expect(replayed.status).toBe(200)
    expect(replayed.body).toEqual(first.body)
  })
})

describe('an Idempotency-Key', () => {
  test.each(['!', 'a'.repeat(255), '~{}"'])('of visible ASCII is accepted: %s', async (value) => {
    expect((await send({}, { 'Idempotency-Key': value })).status).toBe(200)
  })

  test.each(['a b', 'a'.repeat(256), 'clé'])('is refused as 400: %s', async (value) => {
    const headers = { 'Idempotency-Key': Buffer.from(value).toString('latin1') }
    const { status, body } = await send({}, headers)
    expect(status).toBe(400)
    expect(body.code).toBe('bad-idempotency-key')
    expect(await site.messages()).toEqual([])
  })
})

test('only a new message wakes the outbox', async () => {
  const onKept = jest.fn()
  await restartSite({ parts: { onKept } })
  const key = { 'Idempotency-Key': 'key' }
  await send({ message: 'short' }).expect(400)
  expect(onKept).toHaveBeenCalledTimes(0)
  await send({}, key).expect(200)
  expect(onKept).toHaveBeenCalledTimes(1)
  await send({}, key).expect(200)
  expect(onKept).toHaveBeenCalledTimes(1)
  await sendForm({ message: 'Another message' }).expect(303)
  expect(onKept).toHaveBeenCalledTimes(2)
})
