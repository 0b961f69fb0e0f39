import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

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
}

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

export interface Outgoing {
  method?: string
  path: string
  headers?: Record<string, string | number>
  body?: string | Buffer
  agent?: Agent
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  /** Empty for a compressed answer. */
  body: string
  /** In ms. */
  duration: number
}

/** Longer than the site's requestTimeout. */
const TIMEOUT_MS = 20_000

const shared = new Agent({ keepAlive: true, maxSockets: 64 })

/**
 * Sends a request without normalizing its path; rejects if there is no complete answer. The error's `reused`
 * is true if an earlier request had opened the connection.
 */
export function send(site: string, outgoing: Outgoing): Promise<Answer> {
  const { method = 'GET', path, headers, body, agent = shared } = outgoing
  const { hostname, port } = new URL(site)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(Object.assign(error, { reused: sent.reusedSocket }))
    const sent = request({ agent, hostname, port, method, path, headers, signal }, (response) => {
      buffer(response).then((bytes) => {
        const { statusCode: status = 0, headers } = response
        const text = headers['content-encoding'] ? '' : bytes.toString()
        resolve({ status, headers, bytes, body: text, duration: performance.now() - start })
      }, fail)
    })
    sent.once('error', fail)
    sent.end(body)
  })
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
  const { status, duration, body } = await send(site, createPost(change, address))
  const reference: string | undefined = status === 200 ? JSON.parse(body).reference : undefined
  return { status, duration, reference }
}
