import { findStored, NOON, send, sendBody, setUpSite, VALID } from '../setup.ts'

setUpSite()

test('a valid request is answered with its reference and the time, and is stored', async () => {
  const { body, headers } = await send().expect(200)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toEqual({
    reference: expect.stringMatching(/^RG-[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/),
    receivedAt: new Date(NOON).toISOString(),
  })
  const { firstName, lastName, email, service, message } = VALID
  const stored = { firstName, lastName, email, service, message, status: 'new', trapped: [] }
  expect(await findStored(body.reference)).toMatchObject({ ...stored, receivedAt: body.receivedAt })
})

test.each(['text/html', 'text/plain', 'image/png', '*/*'])(
  'the answer is JSON also to a client that accepts %s',
  async (Accept) => {
    const { headers, text } = await send({}, { Accept }).expect(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(text)).toHaveProperty('reference')
  },
)

test('service and traps may be absent, and unknown keys are ignored', async () => {
  const { service, website, url, phone_hidden, ...rest } = VALID
  const { body } = await sendBody({ ...rest, isAdmin: true, constructor: 1 }).expect(200)
  expect(await findStored(body.reference)).toMatchObject({ service: '', status: 'new' })
})

test.each(['website', 'url', 'phone_hidden'])('a filled trap %s means quarantine', async (trap) => {
  const { body } = await send({ [trap]: 'https://spam.example' }).expect(200)
  expect(Object.keys(body)).toEqual(['reference', 'receivedAt'])
  expect(await findStored(body.reference)).toMatchObject({
    status: 'quarantined',
    trapped: [trap],
  })
})

test('texts are stored composed and without control characters; all but the message are trimmed', async () => {
  const { status, body } = await send({
    firstName: '\u001b Zoe\u0000\u0301\t',
    lastName: '\u00a0👩🏽‍🚒\n',
    email: ' A@Exemple.QUÉBEC ',
    message: '  une\r\nligne\u0007\r\v\u0085, ete\u0001\u0301\tet\u009f\u007f 🐕  \n',
  })
  expect(status).toBe(200)
  expect(await findStored(body.reference)).toMatchObject({
    firstName: 'Zo\u00e9',
    lastName: '👩🏽‍🚒',
    email: 'A@Exemple.QUÉBEC',
    message: '  une\nligne, et\u00e9\tet 🐕  \n',
  })
})
