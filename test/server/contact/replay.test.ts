import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../support/visitors.ts'

const HOUR = 60 * 60_000
const OTHER = { ...VALID, message: 'Un tout autre message.' }

let site: Site
beforeEach(async () => {
  site = await startSite({ environment: BEHIND_PROXY })
})
afterEach(() => site.stop())

describe('the same content from the same address', () => {
  test('is answered with the first reference and time, and stored once', async () => {
    const visitor = createVisitor()
    const first = await post(site, VALID, visitor)
    site.clock.time += 1000
    const again = await post(site, VALID, visitor)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(await site.messages()).toHaveLength(1)
  })

  test('counts', async () => {
    const visitor = createVisitor()
    const statuses = []
    for (const body of [VALID, VALID, VALID]) {
      statuses.push((await post(site, body, visitor)).status)
    }
    expect(statuses).toEqual([200, 200, 429])
  })

  test.each([
    ['with spaces around a name', { firstName: ` ${VALID.firstName} ` }],
    ['decomposed', { firstName: VALID.firstName.normalize('NFD') }],
    ['with CRLF', { message: VALID.message.replace('\n', '\r\n') }],
    ['with another formStartTime', { formStartTime: '1' }],
  ])('is the same %s', async (_name, change) => {
    const visitor = createVisitor()
    const first = await post(site, VALID, visitor)
    expect((await post(site, { ...VALID, ...change }, visitor)).body).toEqual(first.body)
    expect(await site.messages()).toHaveLength(1)
  })

  test('is the same by the form without JavaScript', async () => {
    const visitor = createVisitor()
    const { body } = await post(site, VALID, visitor)
    const { headers } = await postForm(site, VALID, visitor)
    expect(headers.location).toBe(`/contact?sent=${body.reference}&lang=fr`)
  })

  test.each(['firstName', 'lastName', 'email', 'service', 'message', 'website'])(
    'is another message when %s differs',
    async (field) => {
      const visitor = createVisitor()
      const other = field === 'email' ? 'b@exemple.ca' : field === 'service' ? '' : 'Autre réponse'
      const first = await post(site, VALID, visitor)
      const second = await post(site, { ...VALID, [field]: other }, visitor)
      expect(second.status).toBe(200)
      expect(second.body.reference).not.toBe(first.body.reference)
      expect(await site.messages()).toHaveLength(2)
    },
  )

  test('is a new message after 24 h, and not before', async () => {
    const visitor = createVisitor()
    const first = await post(site, VALID, visitor)
    site.clock.time += 24 * HOUR - 1
    expect((await post(site, VALID, visitor)).body).toEqual(first.body)
    site.clock.time += 2
    const later = await post(site, VALID, visitor)
    expect(later.status).toBe(200)
    expect(later.body.reference).not.toBe(first.body.reference)
  })

  test('is another message from another address', async () => {
    const first = await post(site, VALID, createVisitor())
    const second = await post(site, VALID, createVisitor())
    expect(second.body.reference).not.toBe(first.body.reference)
  })
})

describe('the same Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'k-1' }

  test('with the same content answers the first reference from any address', async () => {
    const first = await post(site, VALID, { ...createVisitor(), ...key })
    const second = await post(site, VALID, { ...createVisitor(), ...key })
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
    expect(await site.messages()).toHaveLength(1)
  })

  test('does not count, also when the limit is used up', async () => {
    const visitor = createVisitor()
    const first = await post(site, VALID, { ...visitor, ...key })
    expect((await post(site, VALID, { ...visitor, ...key })).body).toEqual(first.body)
    expect((await post(site, OTHER, visitor)).status).toBe(200)
    expect((await post(site, OTHER, visitor)).status).toBe(429)
    const replayed = await post(site, VALID, { ...visitor, ...key })
    expect(replayed.status).toBe(200)
    expect(replayed.body).toEqual(first.body)
  })

  test('with other content is a new message', async () => {
    const first = await post(site, VALID, { ...createVisitor(), ...key })
    const second = await post(site, OTHER, { ...createVisitor(), ...key })
    expect(second.status).toBe(200)
    expect(second.body.reference).not.toBe(first.body.reference)
  })

  test('is forgotten after 24 h', async () => {
    const first = await post(site, VALID, { ...createVisitor(), ...key })
    site.clock.time += 24 * HOUR + 1
    const later = await post(site, VALID, { ...createVisitor(), ...key })
    expect(later.body.reference).not.toBe(first.body.reference)
  })

  test('tells a trapped request from a clean one', async () => {
    const first = await post(site, VALID, { ...createVisitor(), ...key })
    const trapped = await post(site, { ...VALID, url: 'x' }, { ...createVisitor(), ...key })
    expect(trapped.body.reference).not.toBe(first.body.reference)
  })
})

describe('an Idempotency-Key', () => {
  test.each(['!', 'a'.repeat(255), '~{}"'])('of visible ASCII is accepted: %s', async (value) => {
    const { status } = await post(site, VALID, { 'Idempotency-Key': value })
    expect(status).toBe(200)
  })

  test.each(['a b', 'a'.repeat(256), 'clé'])('is refused as 400: %s', async (value) => {
    const headers = { 'Idempotency-Key': Buffer.from(value).toString('latin1') }
    const { status, body } = await post(site, VALID, headers)
    expect(status).toBe(400)
    expect(body.code).toBe('bad-idempotency-key')
    expect(await site.messages()).toEqual([])
  })
})
