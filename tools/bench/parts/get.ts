import { brotliCompressSync } from 'node:zlib'
import { until } from '../../harness/raw-client.ts'
import { atLeast, type Figure, type Findings, median, medianRatio, write } from '../figures.ts'
import { CONNECTIONS, type Get } from '../load.ts'
import { startPeer, startSite, takeSample } from '../processes.ts'
import { measureRates, type Part, type PartParts } from '../rounds.ts'
import type { Sample } from '../servers/peers.ts'

const ENCODINGS = { identity: {}, br: { 'Accept-Encoding': 'br' } }

/** The home page from the cache, once the site has compressed it at the highest level. */
async function takeCachedSample(port: number, headers: Record<string, string>): Promise<Sample> {
  const { body: plain } = await takeSample(port)
  const smallest = 'Accept-Encoding' in headers ? brotliCompressSync(plain) : plain
  // The cached answer is at most 2 % larger than `smallest`: the site's brotli window is smaller. Until it is ready,
  // the site compresses faster, and the answer is 10 % larger.
  const isCached = (answer: Sample) =>
    answer.headers.includes('Content-Length') && answer.body.length < 1.02 * smallest.length
  return until(async () => {
    const sample = await takeSample(port, headers)
    return isCached(sample) ? sample : undefined
  })
}

async function measureSet({ pace, createFolder }: PartParts, headers: Record<string, string>) {
  const site = await startSite({ folder: createFolder() })
  const sample = await takeCachedSample(site.port, headers)
  const servers = [site, await startPeer('bare', sample), await startPeer('express', sample)]
  try {
    const request = { path: '/', headers }
    const loads = servers.map(({ port }) => ({ port, request }))
    const measured = await measureRates({ ...pace, rounds: pace.rounds / pace.sets }, loads)
    const [ours, bares] = measured.outcomes.map(
      (each) => (each[0]?.bytes ?? 0) / (each[0]?.answers ?? 1),
    )
    if (ours !== bares)
      throw new Error(`response sizes differ: site ${ours} bytes, node:http ${bares} bytes`)
    return { ...measured, size: sample.body.length }
  } finally {
    for (const server of servers) await server.end()
  }
}

async function compare(headers: Record<string, string>, parts: PartParts) {
  const sets: Awaited<ReturnType<typeof measureSet>>[] = []
  for (let set = 0; set < parts.pace.sets; set++) sets.push(await measureSet(parts, headers))
  const [ours, bares, expresses] = [0, 1, 2].map((server) =>
    sets.flatMap(({ rates }) => rates[server] ?? []),
  ) as [number[], number[], number[]]
  const busiest = Math.max(...sets.flatMap(({ outcomes }) => outcomes.flat().map((o) => o.busy)))
  return {
    row: {
      bytes: `${sets[0]?.size}`,
      site: write(median(ours), '/s'),
      'node:http': write(median(bares), '/s'),
      'Express + helmet': write(median(expresses), '/s'),
      'generator busy': `${Math.round(busiest * 100)} %`,
    },
    bare: medianRatio(ours, bares),
    express: medianRatio(ours, expresses),
  }
}

/** Requests for which the site runs other code than for GET /. Each is compared with GET /. */
const PATHS: (Get & { status?: number })[] = [
  { path: '/contact' },
  { path: '/?lang=en', headers: { Cookie: 'rg-language=en' } },
  { path: '/no-such-page', status: 404 },
]

async function comparePaths({ pace, createFolder }: PartParts): Promise<Figure[]> {
  const site = await startSite({ folder: createFolder() })
  const headers = ENCODINGS.br
  try {
    await takeCachedSample(site.port, headers)
    const loads = [{ path: '/' }, ...PATHS].map(({ status, ...get }: (typeof PATHS)[number]) => {
      const request = { ...get, headers: { ...headers, ...get.headers } }
      return { port: site.port, request, status }
    })
    const { rates } = await measureRates(pace, loads)
    const [home = [], ...others] = rates
    return others.map((each, at) =>
      atLeast(`GET ${PATHS[at]?.path} (br), of GET /`, medianRatio(each, home), 'ratio', 0.85),
    )
  } finally {
    await site.end()
  }
}

/** Measures requests per second: of the cached home page, of plain servers with the same body, of other pages. */
export const measure: Part = async (parts) => {
  const figures: Figure[] = []
  const table: Findings['table'] = {}
  for (const [name, headers] of Object.entries(ENCODINGS)) {
    const { row, bare, express } = await compare(headers, parts)
    table[name] = row
    figures.push(
      atLeast(`GET / (${name}), of bare node:http`, bare, 'ratio', 0.5),
      atLeast(`GET / (${name}), of Express with helmet`, express, 'ratio', 0.9),
    )
  }
  figures.push(...(await comparePaths(parts)))
  return {
    title: 'GET / from the cache',
    how: `requests a second over ${CONNECTIONS} connections; the ratio is the median of the rounds. Bare node:http writes the same head and body; Express with helmet() sends the same body as a constant. The other paths take turns with GET / of the same site.`,
    figures,
    table,
  }
}
