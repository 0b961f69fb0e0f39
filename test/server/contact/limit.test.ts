import { join } from 'node:path'
import type { Store } from '../../../server/inbox/store.ts'
import { createStore } from '../../../server/inbox/store.ts'
import { describeLimit } from '../../../shared/contact-sentences.ts'
import { company } from '../../../shared/content/company.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { formatPhone } from '../../../shared/format.ts'
import { createPost } from '../../../tools/harness/client.ts'
import { openSocket, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createFolder } from '../../support/folders.ts'
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
  tally,
  VALID,
} from '../setup.ts'

setUpSitePerTest()

const visitor = createVisitor()
const address = visitor['X-Forwarded-For']

const sendInARow = (count: number) => getStatuses(count, (index) => send(numbered(index), visitor))

const countHits = async ({ store }: { store: Store } = site) => {
  const hits = await store.transaction((db) => db.query('SELECT id FROM hits'))
  return hits.length
}

test('answers tell the rest of the limit; the refusal the time to wait, the policy, and the other ways to reach the firm', async () => {
  const first = await send({}, visitor)
  expect(first.headers.ratelimit).toMatch(/r=1; t=3600/)
  expect(first.headers['ratelimit-policy']).toMatch(/q=2; w=3600/)
  site.clock.time += 20 * MINUTE
  await sendInARow(1)
  const { headers, body } = await send(numbered(9), visitor).expect(429)
  // The real clock, which turns the rest of the window into a wait, may tick in between.
  expect(['2399', '2400', '2401']).toContain(headers['retry-after'])
  expect(headers['ratelimit-policy']).toMatch(/q=2; w=3600/)
  expect(headers.ratelimit).toMatch(/r=0; t=\d+/)
  expect(body).toMatchObject({ status: 429, code: 'limit-reached' })
  const limit = describeLimit({ count: 2, windowMinutes: 60 }, fr.contact.form, 'fr')
  for (const words of [limit, formatPhone(company.phone, 'fr'), company.email]) {
    expect(body.detail).toContain(words)
  }
})

test('the window slides: a message counts for its own hour, also across a restart', async () => {
  expect(await sendInARow(1)).toEqual([200])
  site.clock.time += 30 * MINUTE
  expect((await send(numbered(1), visitor)).status).toBe(200)
  site.clock.time += 30 * MINUTE
  expect(await getStatuses(2, (index) => send(numbered(index + 2), visitor))).toEqual([200, 429])
})

test('of 200 messages at once, two are accepted', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => send(numbered(index), visitor)),
  )
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 2, 429: 198 })
  expect(await site.messages()).toHaveLength(2)
  expect(await countHits()).toBe(2)
})

test.each(['destroy', 'resetAndDestroy'] as const)(
  'a client that sends %s right after its message gets no more than two',
  async (leave) => {
    for (let index = 0; index < 6; index += 1) {
      const { path, headers, body } = createPost({ ...VALID, ...numbered(index) }, address)
      const socket = await openSocket(site)
      await new Promise((resolve) =>
        socket.once('close', resolve).write(writeRequest('POST', path, headers, body), () => {
          socket[leave]()
        }),
      )
    }
    // The answer comes after all earlier messages, because the store takes one at a time.
    await send(numbered(7))
    const kept = (await site.messages()).length - 1
    expect(kept).toBeLessThanOrEqual(2)
    const rest = await getStatuses(3, (index) => send(numbered(8 + index), visitor))
    expect(tally(rest)[200] ?? 0).toBe(2 - kept)
  },
)

test('limit and window come from the environment, and the sentence names them', async () => {
  await restartSite({ environment: { CONTACT_LIMIT: '1', CONTACT_WINDOW_MINUTES: '5' } })
  expect(await sendInARow(1)).toEqual([200])
  const { body } = await send(numbered(2), { ...visitor, Cookie: 'rg-language=en' }).expect(429)
  const limit = describeLimit({ count: 1, windowMinutes: 5 }, en.contact.form, 'en')
  expect(body.detail).toContain(limit)
  expect(body.detail).toContain(formatPhone(company.phone, 'en'))
  site.clock.time += 5 * MINUTE
  expect((await send(numbered(3), visitor)).status).toBe(200)
})

test('refused requests do not count, trapped messages do', async () => {
  const refused = [
    await send({ email: 'no' }, visitor),
    await send({ formStartTime: String(NOON) }, visitor),
    await sendBody('{', visitor),
    await send({}, { ...visitor, 'Sec-Fetch-Site': 'cross-site' }),
    await send({}, { ...visitor, 'Content-Type': 'text/plain' }),
    await sendForm({ message: '' }, visitor),
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 403, 415, 400])
  await send({ website: 'x' }, visitor).expect(200)
  expect(await sendInARow(3)).toEqual([200, 429, 429])
  // With the limit used up, a faulty request still gets its own refusal.
  expect((await send({ email: 'no' }, visitor)).status).toBe(400)
})

describe('the same content from the same address', () => {
  test('gets the first reference and time for 24 hours, by the form too', async () => {
    const first = await send({}, visitor)
    site.clock.time += 1000
    const { headers } = await sendForm({}, visitor).expect(303)
    expect(headers.location).toBe(`/contact?sent=${first.body.reference}&lang=fr`)
    site.clock.time += 24 * 60 * MINUTE - 2000
    expect((await send({}, visitor).expect(200)).body).toEqual(first.body)
    expect(await site.messages()).toHaveLength(1)
    site.clock.time += 2000
    const later = await send({}, visitor).expect(200)
    expect(later.body.reference).not.toBe(first.body.reference)
  })

  test('counts like any other: the third within an hour is 429, also the first one again', async () => {
    const answers = [await send({}, visitor), await send({}, visitor), await send({}, visitor)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(await site.messages()).toHaveLength(1)
    expect(await countHits()).toBe(2)
  })

  test('sent twice side by side, fifty times, is one message and one reference each', async () => {
    for (let round = 0; round < 50; round += 1) {
      const each = createVisitor()
      const [one, two] = await Promise.all([
        send(numbered(round), each).expect(200),
        round % 2 ? send(numbered(round), each) : sendForm(numbered(round), each),
      ])
      const reference = one.body.reference
      const other = two.body.reference ?? /sent=([^&]+)/.exec(two.headers.location ?? '')?.[1]
      expect({ round, other }).toEqual({ round, other: reference })
    }
    expect(await site.messages()).toHaveLength(50)
  })
})

describe('the hit of a message that could not be kept', () => {
  /** A store in which inserts into `messages` fail, and if `isBroken` also what gives hits back. */
  const failing = (store: Store, isBroken = false): Store => ({
    ...store,
    transaction: (work, options) =>
      store.transaction((db) => {
        const change: typeof db.change = async (sql, values) => {
          const isRefused = /INSERT INTO messages/.test(sql) || (isBroken && /^DELETE/.test(sql))
          if (isRefused) throw new Error('The disk fell off')
          return db.change(sql, values)
        }
        return work({ ...db, now: db.now, change })
      }, options),
  })

  const folder = createFolder()
  let store: Store
  let opened = 0
  beforeEach(() => {
    opened += 1
    const path = join(folder, `${opened}.sqlite`)
    store = createStore({ kind: 'sqlite', path }, { now: () => NOON })
  })
  afterEach(() => store.close())

  test('is given back', async () => {
    await restartSite({ parts: { store: failing(store) } })
    expect(tally(await sendInARow(5))).toEqual({ 500: 5 })
    expect(await countHits({ store })).toBe(0)
  })

  test('stays if that fails too, and the log says so', async () => {
    await restartSite({ parts: { store: failing(store, true) } })
    expect(await sendInARow(3)).toEqual([500, 500, 429])
    const said = site.logged.filter(({ msg }) => /counts until its window ends/.test(String(msg)))
    expect(said).toHaveLength(2)
    expect(JSON.stringify(site.logged)).not.toContain('fell off')
  })
})
