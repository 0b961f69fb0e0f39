import request from 'supertest'
import { exchange, writeRequest } from '../../tools/harness/raw-client.ts'
import {
  BEHIND_PROXY,
  createVisitor,
  NOON,
  openSite,
  post,
  postForm,
  type Site,
  VALID,
} from '../support/site.ts'

export { createVisitor, NOON, openSite, type Site, VALID }

export const MINUTE = 60_000

/** The site of the current test. */
export let site: Site

type Options = NonNullable<Parameters<typeof openSite>[0]>
type When = (action: () => Promise<void>) => void

const open = (options: Options = {}) =>
  openSite({ ...options, environment: { ...BEHIND_PROXY, ...options.environment } })

function register(before: When, after: When, options?: Options): void {
  let outer: Site
  before(async () => {
    outer = site
    site = await open(options)
  })
  after(async () => {
    await site.stop()
    site = outer
  })
}

/** Starts one site for all tests of a file or block; it trusts one proxy unless the environment says otherwise. */
export const setUpSite = (options?: Options) => register(beforeAll, afterAll, options)

/** Like `setUpSite`, with a new site for each test. */
export const setUpSitePerTest = (options?: Options) => register(beforeEach, afterEach, options)

export async function restartSite(options?: Options): Promise<void> {
  await site.stop()
  site = await open(options)
}

export const get = (path: string, headers: object = {}) =>
  request(site.url)
    .get(path)
    .redirects(0)
    .set({ ...headers })

/** Sends these bytes, which no client has normalized; names of headers become lower case. */
export async function askRaw(bytes: string) {
  const answer = await exchange(site, bytes)
  const end = answer.indexOf('\r\n\r\n')
  const [start = '', ...lines] = answer.slice(0, end).split('\r\n')
  const pairs = lines.map((line) => line.split(/: (.*)/s))
  const headers: Record<string, string> = Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]),
  )
  return { status: Number(start.split(' ')[1]), headers, body: answer.slice(end + 4) }
}

export const getRaw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  askRaw(writeRequest(method, path, headers))

/** The status of each answer on one connection. */
export const getRawStatuses = async (bytes: string) =>
  [...(await exchange(site, bytes)).matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) =>
    Number(status),
  )

/** Posts a body unchanged, from a new visitor. */
export const sendBody = (body: object | string, headers: object = {}) =>
  post(site, body, { ...createVisitor(), ...headers })

/** Posts the valid message with changes, from a new visitor unless the headers contain an address. */
export const send = (change: object = {}, headers: object = {}) =>
  sendBody({ ...VALID, ...change }, headers)

/** Posts the valid message with changes through the form without JavaScript. */
export const sendForm = (change: Record<string, string> = {}, headers: object = {}) =>
  postForm(site, { ...VALID, ...change }, { ...createVisitor(), ...headers })

export const sendFormBody = (body: string, headers: object = {}) =>
  postForm(site, body, { ...createVisitor(), ...headers })

export const report = (body: object | string = { message: 'x', path: '/' }, headers: object = {}) =>
  request(site.url)
    .post('/api/browser-errors')
    .set({ 'Content-Type': 'application/json', ...createVisitor(), ...headers })
    .send(body)

export async function getStatuses(
  count: number,
  ask: (index: number) => PromiseLike<{ status: number }>,
): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await ask(index)).status)
  return statuses
}

/** Counts equal values. */
export const tally = (values: unknown[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(values, String)].map(([value, all]) => [value, all.length]))

export const numbered = (number: number) => ({ message: `Message numéro ${number}.` })

export const findStored = async (reference: unknown) =>
  (await site.messages()).find((message) => message.reference === reference)

/** The line of a request in the log. */
export const findLogged = ({ headers }: { headers: Record<string, string> }) =>
  site.logged.find(
    ({ requestId, msg }) =>
      requestId === headers['x-request-id'] && /^request answered/.test(String(msg)),
  )
