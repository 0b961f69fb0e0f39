import { atLeast, medianRatio } from '../figures.ts'
import { startServer, startSite, takeSample } from '../processes.ts'
import { measureRates, type Part } from '../rounds.ts'
import type { Question } from '../servers/peers.ts'

const CONNECTIONS = 50

/** Compares the site, with a new rendering for each request, with react-dom's stream of the same tree. */
export const measure: Part = async ({ pace, createFolder }) => {
  const site = await startSite({ folder: createFolder(), file: 'tools/bench/servers/uncached.ts' })
  const react = startServer('peers')
  const sample = await takeSample(site.port)
  const reactPort = await react.ask<number>({ ...sample, peer: 'react' } satisfies Question)
  const requests = [{ path: '/' }]
  const loads = [site.port, reactPort].map((port) => ({ port, connections: CONNECTIONS, requests }))
  const { rates } = await measureRates(pace, loads)
  await site.end()
  await react.end()
  const [ours = [], theirs = []] = rates
  return {
    title: 'Uncached render',
    how: `GET / over ${CONNECTIONS} connections with the cache off, compared with bare node:http around react-dom's stream of the same tree.`,
    figures: [
      atLeast('first render, of raw react-dom streaming', medianRatio(ours, theirs), 'ratio', 0.8),
    ],
  }
}
