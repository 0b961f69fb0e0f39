import { atLeast, medianRatio } from '../figures.ts'
import { CONNECTIONS } from '../load.ts'
import { startPeer, startSite, takeSample } from '../processes.ts'
import { measureRates, type Part } from '../rounds.ts'

export const measure: Part = async ({ pace, createFolder }) => {
  const site = await startSite({ folder: createFolder(), file: 'tools/bench/servers/uncached.ts' })
  const react = await startPeer('react', await takeSample(site.port))
  const requests = [{ path: '/' }]
  const loads = [site, react].map(({ port }) => ({ port, requests }))
  const { rates } = await measureRates(pace, loads)
  await site.end()
  await react.end()
  const [ours = [], theirs = []] = rates
  return {
    title: 'Uncached render',
    how: `GET / over ${CONNECTIONS} connections with the cache off, compared with bare node:http around react-dom's stream of the same tree.`,
    figures: [
      atLeast('first render, of raw react-dom streaming', medianRatio(ours, theirs), 'ratio', 0.7),
    ],
  }
}
