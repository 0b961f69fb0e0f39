import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import type { Sample } from './servers/peers.ts'

/** Headers that Node adds. */
const NODES_OWN = /^(?:date|connection|keep-alive|transfer-encoding)$/i

/** The home page as the site answers it now. */
export function takeSample(port: number, headers: Record<string, string> = {}): Promise<Sample> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/', headers }, async (response) => {
      const { rawHeaders } = response
      const kept = rawHeaders.filter((_, at) => !NODES_OWN.test(rawHeaders[at - (at % 2)] ?? ''))
      resolve({ headers: kept, body: await buffer(response) })
    }).once('error', reject)
  })
}

/** Compressing takes a second on a busy machine. */
const TIMEOUT_MS = 60_000

/** The home page from the cache, once the site has compressed it at the highest level. */
export async function takeCachedSample(
  port: number,
  headers: Record<string, string>,
): Promise<Sample> {
  const { body: plain } = await takeSample(port)
  const smallest = headers['Accept-Encoding'] === 'br' ? brotliCompressSync(plain) : plain
  const end = performance.now() + TIMEOUT_MS
  while (performance.now() < end) {
    const answer = await takeSample(port, headers)
    const isCached = answer.headers.includes('Content-Length')
    if (isCached && smallest.equals(answer.body)) return answer
    await wait(50)
  }
  throw new Error('The site does not answer GET / from its cache at the highest compression')
}
