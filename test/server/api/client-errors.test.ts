import { readReport } from '../../../server/api/client-errors.ts'
import { createStore } from '../../../server/inbox/create-store.ts'
import { measure } from '../../../server/inbox/measure.ts'
import { createFolder } from '../../support/folders.ts'
import {
  createVisitor,
  getStatuses,
  openSite,
  report as post,
  setUpSite,
  site,
  tally,
} from '../setup.ts'

const folder = createFolder()

const REPORT = {
  message: "Uncaught TypeError: Cannot read properties of undefined (reading 'Zoé')",
  stack: 'TypeError: Zoé\n    at Zoé (https://www.example.ca/assets/app-1a2b.js:1:2)',
  path: '/services',
}

test('a report keeps the page, the type of the error and the place in a built file', () => {
  const place = 'assets/app-1a2b.js:1:2'
  expect(readReport(REPORT)).toEqual({ page: 'services', type: 'TypeError', place })
  const message = 'Minified React error #418; visit https://react.dev/errors/418?args[]=Zoé'
  expect(readReport({ message })).toEqual({ page: 'not-found', type: 'Minified React error #418' })
})

const PERSON = 'Zoé Tremblay, zoe@exemple.ca, 613-555-0199, 12 rue Laurier'

test.each<[name: string, body: Record<string, unknown> | undefined]>([
  [
    'a quoted text',
    { message: `Unexpected token: "${PERSON}"`, stack: PERSON, path: `/${PERSON}` },
  ],
  ['a text as the place', { stack: `Error\n at https://a.ca/assets/${PERSON}.js:1:2` }],
  ['a long number', { stack: 'Error\n at https://a.ca/assets/a.js:16135550199:1' }],
  ['other types', { message: { toString: 1 }, stack: 7, path: [] }],
  ['null', { message: null }],
  ['nothing', undefined],
])('of %s nothing is kept', (_name, body) => {
  expect(readReport(body)).toEqual({ page: 'not-found', type: 'Error' })
})

describe('of a site', () => {
  setUpSite()

  test.each([
    ['an empty report', '{}', {}, 204],
    ['no object', '[]', {}, 204],
    ['over 8 KiB', JSON.stringify({ ...REPORT, stack: 'z'.repeat(9000) }), {}, 413],
    ['another site', '{}', { Origin: 'https://evil.example' }, 403],
  ])('%s: %#', async (_name, body, headers, expected) => {
    expect((await post(body, headers)).status).toBe(expected)
  })

  test('the eleventh report of an address within a minute is 429', async () => {
    const visitor = createVisitor()
    const statuses = await getStatuses(11, () => post({}, visitor))
    expect(tally(statuses)).toEqual({ 204: 10, 429: 1 })
    const { headers } = await post({}, visitor).expect(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.stringify(site.logged)).not.toContain('Zo')
  })
})

test('reports are logged together, without a sender’s text, and counted in the inbox, by a stop at the latest', async () => {
  const path = `${folder}/inbox.sqlite`
  const counting = await openSite({ database: path })
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(REPORT)
  for (const _ of [1, 2, 3])
    await fetch(`${counting.url}/api/client-errors`, { method: 'POST', headers, body })
  await counting.stop()
  const lines = counting.logged.filter(({ msg }) => /scripts failed/.test(String(msg)))
  expect(lines).toEqual([expect.objectContaining({ level: 40, reports: 3 })])
  expect(lines[0]).toMatchObject({
    examples: expect.arrayContaining([
      expect.objectContaining({ page: 'services', type: 'TypeError' }),
    ]),
  })
  expect(JSON.stringify(counting.logged)).not.toContain('Zo')
  const store = createStore({ kind: 'sqlite', path })
  const { clientErrors } = await measure(store)
  await store.close()
  // Noon in UTC is the same day in Toronto.
  expect(clientErrors).toMatchObject([{ day: '2026-05-04', number: 3 }])
})
