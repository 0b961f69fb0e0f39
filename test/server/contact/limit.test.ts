import { join } from 'node:path'
import { en } from '../../../shared/content/en.ts'
import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { createFolder } from '../../../tools/harness/folders.ts'
import { hangUp, until, writeJson } from '../../../tools/harness/raw-client.ts'
import { NOON, type Site, startSite } from '../../support/site.ts'

const MINUTE = 60_000

let site: Site
afterEach(() => site.stop())

const numbered = (number: number) => ({ ...VALID, message: `Message numéro ${number}.` })

/** The statuses of so many messages, one after the other. */
async function postInARow(count: number, headers: (index: number) => object = () => ({})) {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) {
    statuses.push((await post(site, numbered(index), headers(index))).status)
  }
  return statuses
}

test('of three messages in a row the third is 429', async () => {
  site = await startSite()
  expect(await postInARow(3)).toEqual([200, 200, 429])
  expect(await site.messages()).toHaveLength(2)
})

test('of three identical messages in a row the third is 429', async () => {
  site = await startSite()
  const statuses = []
  for (const body of [VALID, VALID, VALID]) statuses.push((await post(site, body)).status)
  expect(statuses).toEqual([200, 200, 429])
})

test('the refusal says how long, the policy, and the other ways to reach the firm', async () => {
  site = await startSite()
  await postInARow(1)
  site.clock.time += 20 * MINUTE
  await postInARow(1)
  const { status, headers, body } = await post(site, numbered(9))
  expect(status).toBe(429)
  expect(headers['retry-after']).toBe(String(40 * 60))
  expect(headers['ratelimit-policy']).toMatch(/q=2; w=3600/)
  expect(headers.ratelimit).toMatch(/r=0; t=\d+/)
  expect(body).toMatchObject({ status: 429, code: 'limit-reached' })
  expect(body.detail).toContain('2 messages par heure')
  expect(body.detail).toContain('613\u00a0555-0199')
  expect(body.detail).toContain('info@example.ca')
})

test('an accepted message says what is left', async () => {
  site = await startSite()
  const { headers } = await post(site, VALID)
  expect(headers.ratelimit).toMatch(/r=1; t=\d+/)
  expect(headers['ratelimit-policy']).toMatch(/q=2; w=3600/)
})

test('of 25 at once exactly two are accepted', async () => {
  site = await startSite()
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, index) => post(site, numbered(index))),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(statuses.filter((status) => status === 429)).toHaveLength(23)
  expect(await site.messages()).toHaveLength(2)
})

test('of 25 identical ones at once exactly two are accepted, and one is stored', async () => {
  site = await startSite()
  const answers = await Promise.all(Array.from({ length: 25 }, () => post(site, VALID)))
  const accepted = answers.filter(({ status }) => status === 200)
  expect(accepted).toHaveLength(2)
  expect(accepted[0]?.body).toEqual(accepted[1]?.body)
  expect(await site.messages()).toHaveLength(1)
})

test('those who hang up before the answer count too', async () => {
  site = await startSite()
  for (let index = 0; index < 6; index += 1) await hangUp(site, writeJson(numbered(index)))
  await until(async () => (await site.messages()).length >= 2)
  expect((await post(site, numbered(7))).status).toBe(429)
  expect(await site.messages()).toHaveLength(2)
})

describe('after a restart', () => {
  const database = join(createFolder(), 'inbox.sqlite')

  test('the count stands', async () => {
    site = await startSite({ database })
    expect(await postInARow(2)).toEqual([200, 200])
    await site.stop()
    site = await startSite({ database })
    expect((await post(site, numbered(3))).status).toBe(429)
    expect(await site.messages()).toHaveLength(2)
  })
})

describe('addresses', () => {
  const forwarded = (address: string) => ({ 'X-Forwarded-For': address })

  test('X-Forwarded-For is not believed without a trusted proxy', async () => {
    site = await startSite()
    const statuses = await postInARow(4, (index) => forwarded(`203.0.113.${index}`))
    expect(statuses).toEqual([200, 200, 429, 429])
  })

  test('behind one proxy only the last address of X-Forwarded-For is believed', async () => {
    site = await startSite({ environment: { TRUST_PROXY: '1' } })
    const statuses = await postInARow(3, (index) => forwarded(`192.0.2.${index}, 203.0.113.7`))
    expect(statuses).toEqual([200, 200, 429])
    expect((await post(site, VALID, forwarded('203.0.113.8'))).status).toBe(200)
  })

  test('a proxy that is not in the list is not believed', async () => {
    site = await startSite({ environment: { TRUST_PROXY: '10.0.0.0/8' } })
    const statuses = await postInARow(3, (index) => forwarded(`203.0.113.${index}`))
    expect(statuses).toEqual([200, 200, 429])
  })

  test('a proxy in the list is believed', async () => {
    site = await startSite({ environment: { TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' } })
    const statuses = await postInARow(3, (index) => forwarded(`203.0.113.${index}`))
    expect(statuses).toEqual([200, 200, 200])
  })

  test('an IPv6 /56 is one visitor, and the next /56 is another', async () => {
    site = await startSite({ environment: { TRUST_PROXY: '1' } })
    const sameHousehold = ['2001:db8:1:2200::1', '2001:db8:1:22ff:a::b', '2001:db8:1:2201::']
    const statuses = await postInARow(3, (index) => forwarded(sameHousehold[index] ?? ''))
    expect(statuses).toEqual([200, 200, 429])
    expect((await post(site, VALID, forwarded('2001:db8:1:2300::1'))).status).toBe(200)
  })
})

describe('the window', () => {
  test('slides: each message leaves it an hour after it came', async () => {
    site = await startSite()
    const send = async (minute: number) => {
      site.clock.time = NOON + minute * MINUTE
      return (await post(site, numbered(minute))).status
    }
    expect(await send(0)).toBe(200)
    expect(await send(30)).toBe(200)
    expect(await send(59)).toBe(429)
    expect(await send(60)).toBe(200)
    expect(await send(61)).toBe(429)
    expect(await send(89)).toBe(429)
    expect(await send(90)).toBe(200)
  })

  test('trying again while it is closed does not keep it closed', async () => {
    site = await startSite()
    await postInARow(6)
    site.clock.time += 60 * MINUTE
    expect((await post(site, numbered(9))).status).toBe(200)
  })

  test('limit and window come from the environment, and the sentence names them', async () => {
    site = await startSite({
      environment: { CONTACT_LIMIT: '1', CONTACT_WINDOW_MINUTES: '5' },
    })
    expect(await postInARow(1)).toEqual([200])
    const { status, body, headers } = await post(site, numbered(2), {
      Cookie: 'rg-language=en',
    })
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('300')
    expect(body.detail).toContain('1 message every 5 minutes')
    expect(body.detail).toContain('613-555-0199')
    site.clock.time += 5 * MINUTE
    expect((await post(site, numbered(3))).status).toBe(200)
  })
})

describe('what counts', () => {
  test('what is refused does not', async () => {
    site = await startSite()
    const refused = [
      await post(site, { ...VALID, email: 'no' }),
      await post(site, { ...VALID, formStartTime: String(NOON) }),
      await post(site, '{'),
      await post(site, VALID, { 'Sec-Fetch-Site': 'cross-site' }),
      await post(site, VALID, { 'Content-Type': 'text/plain' }),
      await postForm(site, { ...VALID, message: '' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 403, 415, 400])
    expect(await postInARow(3)).toEqual([200, 200, 429])
  })

  test('a trapped message does', async () => {
    site = await startSite()
    const trapped = (number: number) => post(site, { ...numbered(number), website: 'x' })
    expect([(await trapped(1)).status, (await trapped(2)).status]).toEqual([200, 200])
    expect((await post(site, VALID)).status).toBe(429)
  })

  test('the form without JavaScript and the API count together', async () => {
    site = await startSite()
    expect((await postForm(site, VALID)).status).toBe(303)
    expect((await post(site, numbered(1))).status).toBe(200)
    const { status, text, headers } = await postForm(site, VALID, { Cookie: 'rg-language=en' })
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('3600')
    expect(text).toContain('613-555-0199')
    expect(text).toContain(en.contact.failed.title)
  })
})
