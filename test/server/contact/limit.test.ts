import { en } from '../../../shared/content/index.ts'
import { hangUp, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { post, postForm } from '../../support/site.ts'
import {
  getStatuses,
  MINUTE,
  NOON,
  numbered,
  restartSite,
  setUpSitePerTest,
  site,
  VALID,
} from '../setup.ts'

setUpSitePerTest({ environment: {} })

const send = (change: object = {}, headers: object = {}) =>
  post(site, { ...VALID, ...change }, headers)

const sendInARow = (count: number) => getStatuses(count, (index) => send(numbered(index)))

test('the answer has the rest of the limit; the refusal the time to wait, the policy, and the other ways to reach the firm', async () => {
  const first = await send()
  expect(first.headers.ratelimit).toMatch(/r=1; t=\d+/)
  expect(first.headers['ratelimit-policy']).toMatch(/q=2; w=3600/)
  site.clock.time += 20 * MINUTE
  await sendInARow(1)
  const { status, headers, body } = await send(numbered(9))
  expect(status).toBe(429)
  expect(headers['retry-after']).toBe(String(40 * 60))
  expect(headers['ratelimit-policy']).toMatch(/q=2; w=3600/)
  expect(headers.ratelimit).toMatch(/r=0; t=\d+/)
  expect(body).toMatchObject({ status: 429, code: 'limit-reached' })
  for (const words of ['2 messages par heure', '613\u00a0555-0199', 'info@example.ca']) {
    expect(body.detail).toContain(words)
  }
})

test('exactly two of 25 identical ones at once are accepted, and one is stored', async () => {
  const answers = await Promise.all(Array.from({ length: 25 }, () => send()))
  const accepted = answers.filter(({ status }) => status === 200)
  expect(accepted).toHaveLength(2)
  expect(accepted[0]?.body).toEqual(accepted[1]?.body)
  expect(await site.messages()).toHaveLength(1)
})

test('visitors who hang up before the answer count too', async () => {
  for (let index = 0; index < 6; index += 1) {
    const json = JSON.stringify({ ...VALID, ...numbered(index) })
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
    }
    await hangUp(site, writeRequest('POST', '/api/contact', headers, json))
  }
  await until(async () => (await site.messages()).length >= 2)
  expect((await send(numbered(7))).status).toBe(429)
  expect(await site.messages()).toHaveLength(2)
})

test('limit and window come from the environment, and the sentence names them', async () => {
  await restartSite({ environment: { CONTACT_LIMIT: '1', CONTACT_WINDOW_MINUTES: '5' } })
  expect(await sendInARow(1)).toEqual([200])
  const { status, body, headers } = await send(numbered(2), { Cookie: 'rg-language=en' })
  expect(status).toBe(429)
  expect(headers['retry-after']).toBe('300')
  expect(body.detail).toContain('1 message every 5 minutes')
  expect(body.detail).toContain('613-555-0199')
  site.clock.time += 5 * MINUTE
  expect((await send(numbered(3))).status).toBe(200)
})

describe('the count', () => {
  test('leaves refused requests out', async () => {
    const refused = [
      await send({ email: 'no' }),
      await send({ formStartTime: String(NOON) }),
      await post(site, '{'),
      await send({}, { 'Sec-Fetch-Site': 'cross-site' }),
      await send({}, { 'Content-Type': 'text/plain' }),
      await postForm(site, { ...VALID, message: '' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 403, 415, 400])
    expect(await sendInARow(3)).toEqual([200, 200, 429])
  })

  test('includes trapped messages', async () => {
    const statuses = await getStatuses(2, (index) => send({ ...numbered(index), website: 'x' }))
    expect(statuses).toEqual([200, 200])
    expect((await send()).status).toBe(429)
  })

  test('is shared by the API and the form without JavaScript', async () => {
    expect((await postForm(site, VALID)).status).toBe(303)
    expect((await send(numbered(1))).status).toBe(200)
    const { status, text, headers } = await postForm(site, VALID, { Cookie: 'rg-language=en' })
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('3600')
    expect(text).toContain('613-555-0199')
    expect(text).toContain(en.contact.failed.title)
  })
})
