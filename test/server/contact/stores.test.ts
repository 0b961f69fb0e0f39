import type { Inbox } from '../../../server/inbox/inbox.ts'
import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import {
  BEHIND_PROXY,
  createVisitor,
  NOON,
  post,
  type Site,
  startSite,
  VALID,
} from '../../support/site.ts'
import { createPostgresPlace, createSqlitePlace, type Place } from '../inbox/places.ts'

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

    test.each([
      { left: 2, status: 200, stored: 1, later: [200, 429] },
      { left: 1, status: 200, stored: 2, later: [429, 429] },
      { left: 0, status: 429, stored: 2, later: [429, 429] },
    ])('side by side the same key takes one of $left places', async (row) => {
      const visitor = createVisitor()
      const send = (n: number) => post(sites[1], numbered(n), visitor)
      for (let n = 2; n > row.left; n -= 1) await send(n)
      const keyed = { ...visitor, 'Idempotency-Key': 'k' }
      const answers = await sendTogether(8, VALID, () => keyed)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([row.status]))
      if (row.left > 0) expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1)
      expect(await messages()).toHaveLength(row.stored)
      expect([(await send(8)).status, (await send(9)).status]).toEqual(row.later)
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
