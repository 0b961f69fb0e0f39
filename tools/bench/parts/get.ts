import { brotliCompressSync } from 'node:zlib'
import { send } from '../../harness/client.ts'
import { until } from '../../harness/raw-client.ts'
import { atLeast, medianRatio } from '../figures.ts'
import { CONNECTIONS } from '../load.ts'
import { startBenchSite, startGenerator, startPeer } from '../processes.ts'
import { DURATION_MS, interleave, type Part, WARM_UP_MS } from '../rounds.ts'

const HEADERS = { 'Accept-Encoding': 'br' }

export const measure: Part = async (folder) => {
  const site = await startBenchSite(folder)
  const smallest = brotliCompressSync((await send(site.url, { path: '/' })).bytes)
  // At most 2 % larger than `smallest`, because the site's brotli window is smaller; over 10 % until it is compressed well.
  const sample = await until(async () => {
    const found = await send(site.url, { path: '/', headers: HEADERS })
    return found.bytes.length < 1.02 * smallest.length ? found : undefined
  })
  const peer = await startPeer(sample)
  const generator = startGenerator()
  const request = { path: '/', headers: HEADERS }
  const get = async (port: number, duration: number) =>
    (await generator.run({ port, request, duration })).rate
  for (const { port } of [site, peer]) await get(port, WARM_UP_MS)
  const [ours = [], express = []] = await interleave([
    () => get(site.port, DURATION_MS),
    () => get(peer.port, DURATION_MS),
  ])
  await Promise.all([site.end(), peer.end(), generator.end()])
  return {
    title: 'GET / from the cache',
    how: `requests a second over ${CONNECTIONS} connections; the ratio is the median of the rounds. Express with helmet() sends the same body as a constant.`,
    figures: [
      atLeast('GET / (br), of Express with helmet', medianRatio(ours, express), 'ratio', 0.6),
    ],
  }
}
