import { brotliCompressSync } from 'node:zlib'
import { until } from '../../harness/raw-client.ts'
import { atLeast, type Figure, medianRatio } from '../figures.ts'
import { CONNECTIONS } from '../load.ts'
import { startBenchSite, startPeer, takeSample } from '../processes.ts'
import { measureRates, type Part } from '../rounds.ts'
import type { Sample } from '../servers/peers.ts'

const ENCODINGS = { identity: {}, br: { 'Accept-Encoding': 'br' } }

/** Fetches the home page; if compressed, waits until the site has compressed it at the highest level. */
async function takeCachedSample(port: number, headers: Record<string, string>): Promise<Sample> {
  if (!('Accept-Encoding' in headers)) return takeSample(port)
  const smallest = brotliCompressSync((await takeSample(port)).body)
  // At most 2 % larger than `smallest`, because the site's brotli window is smaller; over 10 % until then.
  return until(async () => {
    const sample = await takeSample(port, headers)
    return sample.body.length < 1.02 * smallest.length ? sample : undefined
  })
}

async function comparePeers(
  name: keyof typeof ENCODINGS,
  createFolder: () => string,
): Promise<Figure[]> {
  const headers = ENCODINGS[name]
  const site = await startBenchSite({ folder: createFolder() })
  const sample = await takeCachedSample(site.port, headers)
  const servers = [site, await startPeer('bare', sample), await startPeer('express', sample)]
  try {
    const loads = servers.map(({ port }) => ({ port, request: { path: '/', headers } }))
    const [ours = [], bare = [], express = []] = await measureRates(loads)
    return [
      atLeast(`GET / (${name}), of bare node:http`, medianRatio(ours, bare), 'ratio', 0.5),
      atLeast(`GET / (${name}), of Express with helmet`, medianRatio(ours, express), 'ratio', 0.75),
    ]
  } finally {
    for (const server of servers) await server.end()
  }
}

/** Measures requests per second: of the cached home page, and of plain servers with the same body. */
export const measure: Part = async (createFolder) => ({
  title: 'GET / from the cache',
  how: `requests a second over ${CONNECTIONS} connections; the ratio is the median of the rounds. Bare node:http writes the same head and body; Express with helmet() sends the same body as a constant.`,
  figures: [
    ...(await comparePeers('identity', createFolder)),
    ...(await comparePeers('br', createFolder)),
  ],
})
