import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import {
  BEHIND_PROXY,
  createVisitor,
  openSite,
  post,
  type Site,
  VALID,
} from '../../support/site.ts'
import { numbered, tally } from '../setup.ts'

let postgres: PostgresServer
const sites: Site[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  const environment = { ...BEHIND_PROXY, DATABASE_URL: await postgres.createDatabase() }
  for (const _ of [1, 2]) sites.push(await openSite({ environment }))
})
afterAll(async () => {
  for (const site of sites) await site.stop()
  await postgres?.stop()
})

/** Sends to the sites in turn. */
function send(index: number, change: object, visitor: object) {
  const site = sites[index % sites.length]
  if (!site) throw new Error('There is no site')
  return post(site, { ...VALID, ...change }, visitor)
}

// Ten at a time: each process has five connections to PostgreSQL, and on a busy machine not all 200 would get one in time.
test('of 200 messages to two sites over PostgreSQL, ten at a time, two are accepted', async () => {
  const visitor = createVisitor()
  const statuses: number[] = []
  while (statuses.length < 200) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(index, numbered(statuses.length + index), visitor),
      ),
    )
    statuses.push(...answers.map(({ status }) => status))
  }
  expect(tally(statuses)).toEqual({ 200: 2, 429: 198 })
})

test('the same message to both at once, fifty times, is one message and one reference each', async () => {
  for (let round = 0; round < 50; round += 1) {
    const visitor = createVisitor()
    const [one, two] = await Promise.all([0, 1].map((index) => send(index, {}, visitor)))
    expect(one?.status).toBe(200)
    expect({ status: two?.status, body: two?.body }).toEqual({ status: 200, body: one?.body })
    // Both have counted.
    expect((await send(0, numbered(1), visitor)).status).toBe(429)
  }
  expect(await sites[0]?.messages()).toHaveLength(52)
})
