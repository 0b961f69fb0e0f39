import type { Inbox } from '../../../server/inbox/inbox.ts'
import { post, VALID } from '../../../tools/harness/contact.ts'
import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import { BEHIND_PROXY, createVisitor, NOON, type Site, startSite } from '../../support/site.ts'
import { createPostgresPlace, createSqlitePlace, type Place } from '../inbox/places.ts'

/** Tests of two sites that share one store. */
function describeSites(name: string, createPlace: () => Promise<Place>): void {
  describe(name, () => {
    let place: Place
    let inbox: Inbox
    let sites: [Site, Site]
    beforeEach(async () => {
      place = await createPlace()
      const open = () => place.open({ now: () => NOON })
      const start = () => startSite({ environment: BEHIND_PROXY, parts: { inbox: open() } })
      sites = [await start(), await start()]
      inbox = open()
    })
    afterEach(async () => {
      for (const site of sites) await site.stop()
      await place.close()
    })

    const sendTogether = (count: number, body: object, headers: (n: number) => object) =>
      Promise.all(
        Array.from({ length: count }, (_, n) => post(sites[n % 2 ? 1 : 0], body, headers(n))),
      )
    const messages = () => inbox.list({ limit: 100, order: 'oldest-first' }, Date.now() + 5000)
    const numbered = (n: number) => ({ ...VALID, message: `Message numéro ${n}.` })

    test('side by side the same key gives one reference and takes one place', async () => {
      const headers = { ...createVisitor(), 'Idempotency-Key': 'k' }
      const answers = await sendTogether(8, VALID, () => headers)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1)
      expect(await messages()).toHaveLength(1)
      expect((await post(sites[1], numbered(1), headers)).status).toBe(200)
      expect((await post(sites[0], numbered(2), headers)).status).toBe(429)
    })

    test('side by side the same key gives one reference also when one place is left', async () => {
      const visitor = createVisitor()
      expect((await post(sites[0], numbered(1), visitor)).status).toBe(200)
      const headers = { ...visitor, 'Idempotency-Key': 'k' }
      const answers = await sendTogether(8, VALID, () => headers)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1)
      expect(await messages()).toHaveLength(2)
    })

    test('side by side the same key from several addresses takes a place of one of them', async () => {
      const visitors = [createVisitor(), createVisitor()]
      const answers = await sendTogether(6, VALID, (n) => ({
        ...visitors[n % 2],
        'Idempotency-Key': 'k',
      }))
      expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1)
      const later = []
      for (const visitor of visitors) {
        for (const n of [1, 2]) later.push((await post(sites[0], numbered(n), visitor)).status)
      }
      expect(later.sort()).toEqual([200, 200, 200, 429])
    })

    test('side by side the same key with no place left is 429 for all of them', async () => {
      const visitor = createVisitor()
      for (const n of [1, 2]) await post(sites[0], numbered(n), visitor)
      const answers = await sendTogether(4, VALID, () => ({ ...visitor, 'Idempotency-Key': 'k' }))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
      expect(await messages()).toHaveLength(2)
    })
  })
}

describeSites('two sites over SQLite', async () => createSqlitePlace())

describe('with PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  describeSites('two sites over it', () => createPostgresPlace(server))
})
