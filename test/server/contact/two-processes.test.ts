import { Agent } from 'node:http'
import { createAddress, createPost, postMessage, send } from '../../../tools/harness/client.ts'
import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import { type SiteProcess, startSiteProcess } from '../../../tools/harness/process.ts'
import { tally } from '../setup.ts'

let postgres: PostgresServer
let sites: SiteProcess[]

beforeAll(async () => {
  postgres = await startPostgres()
  const DATABASE_URL = await postgres.createDatabase()
  const environment = { HOST: '127.0.0.1', TRUST_PROXY: '1', DATABASE_URL }
  sites = await Promise.all([1, 2].map(() => startSiteProcess({ environment })))
})
afterAll(async () => {
  await Promise.all(sites.map((site) => site.stop()))
  await postgres.stop()
})

/** Few at a time: the messages of one address wait for each other, and on a busy machine not all would have their turn in 2 s. */
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
afterAll(() => agent.destroy())

const getUrl = (index: number) => sites[index % 2]?.url ?? ''

test('of 200 messages at once to two processes over PostgreSQL, two are accepted', async () => {
  const address = createAddress()
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => {
      const post = createPost({ message: `Message numéro ${index}.` }, address)
      return send(getUrl(index), { ...post, agent })
    }),
  )
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 2, 429: 198 })
})

test('the same message to both at once, fifty times, is one message and one slot each', async () => {
  for (let round = 0; round < 50; round += 1) {
    const address = createAddress()
    const twin = createPost({ message: `Message numéro ${round}.` }, address)
    const answers = await Promise.all([0, 1].map((index) => send(getUrl(index), twin)))
    const [one, two] = answers.map(({ status, bytes }) => ({ status, ...JSON.parse(`${bytes}`) }))
    expect({ round, one }).toEqual({ round, one: two })
    // One slot is left.
    const rest = [await postMessage(getUrl(0), { message: 'Un autre message' }, address)]
    rest.push(await postMessage(getUrl(1), { message: 'Un troisième message' }, address))
    expect({ round, rest: rest.map(({ status }) => status) }).toEqual({ round, rest: [200, 429] })
  }
})
