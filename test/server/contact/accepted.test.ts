import { jest } from '@jest/globals'
import {
  findStored,
  NOON,
  restartSite,
  send,
  sendBody,
  sendForm,
  setUpSite,
  VALID,
} from '../setup.ts'

setUpSite()

test('a valid request is answered with its reference and the time, and is stored', async () => {
  const { body, headers } = await send().expect(200)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toEqual({
    reference: expect.stringMatching(/^RG(-[2-9A-HJ-NP-Z]{5}){2}$/),
    receivedAt: new Date(NOON).toISOString(),
  })
  const { firstName, lastName, email, service, message } = VALID
  const stored = { firstName, lastName, email, service, message, status: 'new', trapped: [] }
  expect(await findStored(body.reference)).toMatchObject({ ...stored, receivedAt: body.receivedAt })
})

test.each(['text/html', 'text/plain', 'image/png'])(
  'the answer is JSON also to a client that accepts %s',
  async (Accept) => {
    const { headers } = await send({}, { Accept }).expect(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
  },
)

test('service and traps may be absent, and unknown keys and headers are ignored', async () => {
  const { service, website, url, phone_hidden, ...rest } = VALID
  const more = { ...rest, isAdmin: true, constructor: 1 }
  const { body } = await sendBody(more, { 'Idempotency-Key': 'clé 1' }).expect(200)
  expect(await findStored(body.reference)).toMatchObject({ service: '', status: 'new' })
})

test.each(['website', 'url', 'phone_hidden'])('a filled trap %s means quarantine', async (trap) => {
  const { body } = await send({ [trap]: 'https://spam.example' }).expect(200)
  expect(Object.keys(body)).toEqual(['reference', 'receivedAt'])
  const expected = { status: 'quarantined', trapped: [trap] }
  expect(await findStored(body.reference)).toMatchObject(expected)
})

test('texts are stored composed and without control characters; all but the message are trimmed', async () => {
  const { body } = await send({
    firstName: '\u001b Zoe\u0000\u0301\t',
    lastName: '\u00a0👩🏽‍🚒\n',
    email: ' \u202aA@Exem\u00adple.QUÉBEC\u202c ',
    message: '  une\r\nligne\u0007\r\v\u0085, ete\u0001\u0301\tet\u009f\u007f 🐕  \n',
  }).expect(200)
  expect(await findStored(body.reference)).toMatchObject({
    firstName: 'Zo\u00e9',
    lastName: '👩🏽‍🚒',
    email: 'A@Exemple.QUÉBEC',
    message: '  une\nligne, et\u00e9\tet 🐕  \n',
  })
})

test('only a new message that is not trapped wakes the mailing', async () => {
  const wakeMailing = jest.fn()
  await restartSite({ parts: { wakeMailing } })
  const visitor = { 'X-Forwarded-For': '203.0.113.7' }
  await send({ message: 'short' }).expect(400)
  await send({ url: 'x' }).expect(200)
  expect(wakeMailing).not.toHaveBeenCalled()
  for (const _ of ['new', 'again']) await send({}, visitor).expect(200)
  expect(wakeMailing).toHaveBeenCalledTimes(1)
  await sendForm({ message: 'Another message' }).expect(303)
  expect(wakeMailing).toHaveBeenCalledTimes(2)
})
