import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Answer {
  status: number
  reference?: string
  /** In ms. */
  duration: number
}

// IPv4 addresses for tests between networks: RFC 2544.
let visitors = 0

/** An address that nobody else has; the site is told of it as by a proxy. */
export function createAddress(): string {
  visitors += 1
  return `198.${18 + ((visitors >> 16) & 1)}.${(visitors >> 8) & 255}.${visitors & 255}`
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends a request over a connection that may have been used before. */
export function send(
  url: string,
  method: string,
  headers: Record<string, string | number>,
  body: string | Buffer = '',
): Promise<Answer & { body: string }> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      text(response).then((received) => {
        const duration = performance.now() - start
        resolve({ status: response.statusCode ?? 0, duration, body: received })
      }, reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Posts a contact request that is valid, save for what is changed; rejects when the site is gone. */
export async function post(site: string, change: object, address: string): Promise<Answer> {
  const body = JSON.stringify({
    firstName: 'Zoé',
    lastName: 'Preuve',
    email: 'zoe@exemple.ca',
    service: '',
    message: 'Une preuve, rien de plus.',
    formStartTime: String(Date.now() - 60_000),
    website: '',
    url: '',
    phone_hidden: '',
    ...change,
  })
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Forwarded-For': address,
  }
  const answer = await send(`${site}/api/contact`, 'POST', headers, body)
  const reference = answer.status === 200 ? JSON.parse(answer.body).reference : undefined
  return { status: answer.status, duration: answer.duration, reference }
}

export async function get(site: string, path: string): Promise<Answer> {
  const { status, duration } = await send(`${site}${path}`, 'GET', {})
  return { status, duration }
}
