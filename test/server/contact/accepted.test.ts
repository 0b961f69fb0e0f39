import { SERVICE_IDS } from '../../../shared/constants.ts'
import { findStored, NOON, send, sendBody, setUpSite, VALID } from '../setup.ts'

setUpSite()

test('a valid request is answered with its reference and the time, and is stored', async () => {
  const { status, body, headers } = await send()
  expect(status).toBe(200)
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
    const { status, headers, text } = await send({}, { Accept })
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(text)).toHaveProperty('reference')
  },
)

test.each(['', ...SERVICE_IDS])('the service "%s" is accepted', async (service) => {
  const { status, body } = await send({ service })
  expect(status).toBe(200)
  expect(await findStored(body.reference)).toMatchObject({ service })
})

test('service and traps may be absent, and unknown keys are ignored', async () => {
  const { service, website, url, phone_hidden, ...rest } = VALID
  const { status, body } = await sendBody({ ...rest, isAdmin: true, constructor: 1 })
  expect(status).toBe(200)
  expect(await findStored(body.reference)).toMatchObject({ service: '', status: 'new' })
})

test.each(['website', 'url', 'phone_hidden'])(
  'a filled trap %s gets the same answer, and the message goes to quarantine',
  async (trap) => {
    const { status, body } = await send({ [trap]: 'https://spam.example' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['reference', 'receivedAt'])
    expect(await findStored(body.reference)).toMatchObject({
      status: 'quarantined',
      trapped: [trap],
    })
  },
)

test.each([
  ['the message keeps its spaces as typed', { message: '  dix signes  \n' }, {}],
  ['CRLF becomes LF', { message: 'ligne un\r\nligne deux' }, { message: 'ligne un\nligne deux' }],
  [
    'control characters go, TAB and LF stay',
    { message: 'a\u0000b\u0007c\td\ne\u009ff, et la suite' },
    { message: 'abc\td\nef, et la suite' },
  ],
  [
    'names and e-mail are trimmed',
    { firstName: ' Zoé\t', lastName: '\u00a0Roy\n', email: ' a@b.ca ' },
    { firstName: 'Zoé', lastName: 'Roy', email: 'a@b.ca' },
  ],
  ['control characters in a name go', { firstName: 'Zo\u0000é\u001b' }, { firstName: 'Zoé' }],
  ['text is composed (NFC)', { firstName: 'Zoe\u0301' }, { firstName: 'Zo\u00e9' }],
  [
    'text is composed (NFC) also across a control character',
    { firstName: 'Zoe\u0000\u0301', message: 'ete\u0001\u0301, dix signes' },
    { firstName: 'Zo\u00e9', message: 'et\u00e9, dix signes' },
  ],
  [
    'characters beyond the basic plane are accepted',
    { firstName: '👩🏽‍🚒', message: '🐕'.repeat(10) },
    { firstName: '👩🏽‍🚒', message: '🐕'.repeat(10) },
  ],
  ['an e-mail is stored as typed', { email: 'A@Exemple.QUÉBEC' }, {}],
])('%s', async (_name, change, expected) => {
  const { status, body } = await send(change)
  expect(status).toBe(200)
  expect(await findStored(body.reference)).toMatchObject({ ...change, ...expected })
})
