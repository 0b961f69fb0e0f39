import request from 'supertest'
import { exchange, exchangeBytes, writeRequest } from '../../tools/harness/raw-client.ts'
import {
  BEHIND_PROXY,
  createVisitor,
  NOON,
  openSite,
  post,
  postForm,
  type Site,
  soon,
  VALID,
} from '../support/site.ts'

export { createVisitor, NOON, openSite, type Site, soon, VALID }

export const MINUTE = 60_000

/** The site of the current test. */
export let site: Site

type Options = NonNullable<Parameters<typeof openSite>[0]>
type When = (action: () => Promise<void>) => void

function register(before: When, after: When, options: Options = {}): void {
  let outer: Site
  before(async () => {
    outer = site
    site = await openSite({ ...options, environment: { ...BEHIND_PROXY, ...options.environment } })
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
  site = await openSite(options)
}

export const get = (path: string, headers: object = {}) =>
  request(site.url)
    .get(path)
    .set({ ...headers })

/** Sends these bytes; header names of the answer are in lower case. */
export async function askRaw(bytes: string) {
  const [head = '', body = ''] = (await exchange(site, bytes)).split('\r\n\r\n')
  const [start = '', ...lines] = head.split('\r\n')
  const pairs = lines.map((line) => line.split(/: (.*)/s))
  const headers: Record<string, string> = Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]),
  )
  return { status: Number(start.split(' ')[1]), headers, body }
}

/** The encoded bytes of a body. */
export async function getBytes(path: string, encoding: string): Promise<Buffer> {
  const request = writeRequest('GET', path, { 'Accept-Encoding': encoding })
  const bytes = await exchangeBytes(site, request)
  return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
}

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
    .post('/api/client-errors')
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

export const numbered = (number: number) => ({ message: `Message numéro ${number}.` })

export const findStored = async (reference: unknown) =>
  (await site.messages()).find((message) => message.reference === reference)
