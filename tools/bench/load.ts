import { createPost } from '../harness/client.ts'
import { writeRequest } from '../harness/raw-client.ts'

/** Number of connections of every load; each connection has one request at a time. */
export const CONNECTIONS = 50

export interface Load {
  port: number
  /** `posts`: contact requests, each with its own IP address and text. */
  request: Get | 'posts'
  /** Requests a second, due at fixed times. By default, a connection sends again as soon as it has its answer. */
  pace?: number
  /** In ms. */
  duration: number
}

interface Get {
  path: string
  headers?: Record<string, string>
}

export interface Outcome {
  /** Answers a second. */
  rate: number
  /** With `pace`: the 99th percentile of the latency in ms, from the time when each request was due. */
  p99?: number
}

/** Leaves out the header `Connection: close`, so that the connection stays open. */
const OPEN = { Connection: undefined }

export const writeGet = ({ path, headers }: Get): Buffer =>
  Buffer.from(writeRequest('GET', path, { ...OPEN, ...headers }))

export function writePost(n: number): Buffer {
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  const message = `Une question d’une ligne, numéro ${n}.`
  const { path, headers, body } = createPost({ message }, address)
  return Buffer.from(writeRequest('POST', path, { ...OPEN, ...headers }, body))
}
