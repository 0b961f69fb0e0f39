import { brotliCompressSync } from 'node:zlib'
import { until } from '../../harness/raw-client.ts'
import { atLeast, medianRatio } from '../figures.ts'
import { CONNECTIONS } from '../load.ts'
import { startBenchSite, startPeer, takeSample } from '../processes.ts'
import { measureRates, type Part } from '../rounds.ts'

const HEADERS = { 'Accept-Encoding': 'br' }

/** Measures requests per second: of the cached home page, and of Express with the same body. */
export const measure: Part = async (createFolder) => {
  const site = await startBenchSite({ folder: createFolder() })
  const smallest = brotliCompressSync((await takeSample(site.port)).body)
  // At most 2 % larger than `smallest`, because the site's brotli window is smaller; over 10 % until it is cached.
  const sample = await until(async () => {
    const found = await takeSample(site.port, HEADERS)
    return found.body.length < 1.02 * smallest.length ? found : undefined
  })
  const servers = [site, await startPeer(sample)]
  try {
    const loads = servers.map(({ port }) => ({ port, request: { path: '/', headers: HEADERS } }))
    const [ours = [], express = []] = await measureRates(loads)
    return {
      title: 'GET / from the cache',
      how: `requests a second over ${CONNECTIONS} connections; the ratio is the median of the rounds. Express with helmet() sends the same body as a constant.`,
      figures: [
        atLeast('GET / (br), of Express with helmet', medianRatio(ours, express), 'ratio', 0.6),
      ],
    }
  } finally {
    for (const server of servers) await server.end()
  }
}
