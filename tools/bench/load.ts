/** What the load generator is asked for, and what it tells. */
export interface Load {
  port: number
  connections: number
  /** Asked for in turn; `posts` are contact requests, each with an address and a text of its own. */
  requests: Get[] | 'posts'
  /** Ends after so many ms … */
  duration?: number
  /** … or after so many answers. */
  answers?: number
  /** Requests a second by the clock, whether or not the answers come; otherwise each follows an answer. */
  pace?: number
}

export interface Get {
  path: string
  headers?: Record<string, string>
}

export interface Outcome {
  answers: number
  seconds: number
  /** Of all answers, heads included. */
  bytes: number
  /** In ms, from when a request was due. */
  p50: number
  p99: number
  /** The part of the time that the generator itself was at work: near 1 it would be what is measured. */
  busy: number
}

const CRLF = '\r\n'

export function writeGet({ path, headers = {} }: Get): Buffer {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.from([`GET ${path} HTTP/1.1`, ...lines, CRLF].join(CRLF))
}

/** What each measured message says beside its number. */
export const MESSAGE = {
  firstName: 'Bench',
  lastName: 'Mark',
  email: 'bench@example.ca',
  service: 'health-safety',
  message: 'One of the messages of a measure, as long as a short question is.',
}

/** The n-th contact request, from the n-th address. */
export function writePost(n: number): Buffer {
  const body = JSON.stringify({
    ...MESSAGE,
    message: `${MESSAGE.message} ${n}`,
    formStartTime: '1000000000000',
    website: '',
    url: '',
    phone_hidden: '',
  })
  return Buffer.from(
    [
      'POST /api/contact HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Forwarded-For: 10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
      '',
      body,
    ].join(CRLF),
  )
}
