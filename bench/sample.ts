import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Answer } from './servers/serve.ts'

/** What Node writes by itself. */
const NODES_OWN = /^(?:date|connection|keep-alive|transfer-encoding)$/i

function askOnce(port: number, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/', headers }, async (response) => {
      const { rawHeaders } = response
      const kept = rawHeaders.filter((_, at) => !NODES_OWN.test(rawHeaders[at - (at % 2)] ?? ''))
      resolve({ headers: kept, body: await buffer(response) })
    }).once('error', reject)
  })
}

/**
 * The home page as a site answers it once it has had the time to compress it well.
 * @param settling that time, in ms
 */
export async function takeSample(
  port: number,
  headers: Record<string, string>,
  settling: number,
): Promise<Answer> {
  await askOnce(port, headers)
  await new Promise((resolve) => setTimeout(resolve, settling))
  return askOnce(port, headers)
}
