import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import type { Answer } from './servers/serve.ts'

/** What Node writes by itself. */
const NODES_OWN = /^(?:date|connection|keep-alive|transfer-encoding)$/i

/** The home page as a site answers it now. */
export function takeSample(port: number, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/', headers }, async (response) => {
      const { rawHeaders } = response
      const kept = rawHeaders.filter((_, at) => !NODES_OWN.test(rawHeaders[at - (at % 2)] ?? ''))
      resolve({ headers: kept, body: await buffer(response) })
    }).once('error', reject)
  })
}

/** In ms: compressing takes a second on a busy machine. */
const PATIENCE_MS = 60_000

/** The home page as a site answers it from memory, once it has compressed it as well as it can. */
export async function takeKeptSample(
  port: number,
  headers: Record<string, string>,
): Promise<Answer> {
  const { body: plain } = await takeSample(port)
  const smallest = headers['Accept-Encoding'] === 'br' ? brotliCompressSync(plain) : plain
  const end = performance.now() + PATIENCE_MS
  while (performance.now() < end) {
    const answer = await takeSample(port, headers)
    const isKept = answer.headers.includes('Content-Length')
    if (isKept && smallest.equals(answer.body)) return answer
    await wait(50)
  }
  throw new Error('The site does not answer GET / from memory with the smallest bytes')
}
