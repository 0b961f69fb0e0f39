import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { FieldName } from '../../shared/contact-fields.ts'

/** Time at which the clock of a test site starts. The form of VALID was opened a minute earlier. */
export const NOON = Date.UTC(2026, 4, 4, 12)

/** A message that the site accepts while its clock is at NOON. */
export const VALID = {
  firstName: 'Zoé',
  lastName: 'L’Écuyer-O’Neil',
  email: 'zoe@exemple.ca',
  service: 'francophone',
  message: 'Bonjour,\nnous cherchons une formation.',
  formStartTime: String(NOON - 60_000),
  website: '',
  url: '',
  phone_hidden: '',
} satisfies Record<FieldName, string>

/** A message that the site accepts now, unless `change` makes it invalid. */
export const createValid = (change: object = {}) => ({
  ...VALID,
  formStartTime: String(Date.now() - 60_000),
  ...change,
})

let visitors = 0

/** Returns another IP address for X-Forwarded-For, from the test network of RFC 2544. Repeats after 131,072 calls. */
export function createAddress(): string {
  visitors += 1
  return `198.${18 + ((visitors >> 16) & 1)}.${(visitors >> 8) & 255}.${visitors & 255}`
}

interface Outgoing {
  method?: string
  path: string
  headers?: Record<string, string | number>
  body?: string
  agent?: Agent
}

/** Longer than the site's requestTimeout. */
const TIMEOUT_MS = 20_000

/** Sends a request; resolves to the answer with its body as it was sent, rejects if there is no complete answer. */
export async function send(site: string, { path, body, ...options }: Outgoing) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const sent = request(site + path, { ...options, signal }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  return { status: response.statusCode ?? 0, headers: response.headers, bytes }
}

/** Creates a contact request, valid unless `change` makes it invalid; by default from another IP address each time. */
export function createPost(change: object = {}, address = createAddress()) {
  const body = JSON.stringify(createValid(change))
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Forwarded-For': address,
  }
  return { method: 'POST', path: '/api/contact', headers, body }
}

export async function postMessage(site: string, change?: object, address?: string) {
  const { status, bytes } = await send(site, createPost(change, address))
  const reference: string | undefined =
    status === 200 ? JSON.parse(bytes.toString()).reference : undefined
  return { status, reference }
}
