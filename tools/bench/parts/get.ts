import { brotliCompressSync } from 'node:zlib'
import { until } from '../../harness/raw-client.ts'
import { atLeast, type Figure, medianRatio } from '../figures.ts'
import { CONNECTIONS, type Get } from '../load.ts'
import { startBenchSite, startPeer, takeSample } from '../processes.ts'
import { measureRates, type Part, type PartOptions } from '../rounds.ts'
import type { Sample } from '../servers/peers.ts'

const ENCODINGS = { identity: {}, br: { 'Accept-Encoding': 'br' } }

/** Fetches the home page from the cache; if compressed, waits until the site has compressed it at the highest level. */
async function takeCachedSample(port: number, headers: Record<string, string>): Promise<Sample> {
  const { body: plain } = await takeSample(port)
  const smallest = 'Accept-Encoding' in headers ? brotliCompressSync(plain) : plain
  // The cached answer is at most 2 % larger than `smallest`: the site's brotli window is smaller. Until it is ready,
  // the site compresses faster, and the answer is over 10 % larger.
  const isCached = (answer: Sample) =>
    answer.headers.includes('Content-Length') && answer.body.length < 1.02 * smallest.length
  return until(async () => {
    const sample = await takeSample(port, headers)
    return isCached(sample) ? sample : undefined
  })
}

async function comparePeers(
  name: keyof typeof ENCODINGS,
  { pace, createFolder }: PartOptions,
): Promise<Figure[]> {
  const headers = ENCODINGS[name]
  const site = await startBenchSite({ folder: createFolder() })
  const sample = await takeCachedSample(site.port, headers)
  const servers = [site, await startPeer('bare', sample), await startPeer('express', sample)]
  try {
    const loads = servers.map(({ port }) => ({ port, request: { path: '/', headers } }))
    const [ours = [], bare = [], express = []] = await measureRates(pace, loads)
    return [
      atLeast(`GET / (${name}), of bare node:http`, medianRatio(ours, bare), 'ratio', 0.5),
      atLeast(`GET / (${name}), of Express with helmet`, medianRatio(ours, express), 'ratio', 0.75),
    ]
  } finally {
    for (const server of servers) await server.end()
  }
}

/** Requests for which the site runs other code than for GET /. Each is compared with GET /. */
const PATHS: (Get & { status?: number })[] = [
  { path: '/contact' },
  { path: '/?lang=en', headers: { Cookie: 'rg-language=en' } },
  { path: '/no-such-page', status: 404 },
]

async function comparePaths({ pace, createFolder }: PartOptions): Promise<Figure[]> {
  const site = await startBenchSite({ folder: createFolder() })
  const headers = ENCODINGS.br
  try {
    await takeCachedSample(site.port, headers)
    const loads = [{ path: '/' }, ...PATHS].map(({ status, ...get }: (typeof PATHS)[number]) => {
      const request = { ...get, headers: { ...headers, ...get.headers } }
      return { port: site.port, request, status }
    })
    const [home = [], ...others] = await measureRates(pace, loads)
    return others.map((each, at) =>
      atLeast(`GET ${PATHS[at]?.path} (br), of GET /`, medianRatio(each, home), 'ratio', 0.85),
    )
  } finally {
    await site.end()
  }
}

/** Measures requests per second: of the cached home page, of plain servers with the same body, of other pages. */
export const measure: Part = async (parts) => ({
  title: 'GET / from the cache',
  how: `requests a second over ${CONNECTIONS} connections; the ratio is the median of the rounds. Bare node:http writes the same head and body; Express with helmet() sends the same body as a constant.`,
  figures: [
    ...(await comparePeers('identity', parts)),
    ...(await comparePeers('br', parts)),
    ...(await comparePaths(parts)),
  ],
})
