import { median, medianRatio, write } from '../figures.ts'
import type { Part } from '../main.ts'
import { startPeer, startSite } from '../processes.ts'
import { measureRates } from '../rounds.ts'
import { takeSample } from '../sample.ts'

const CONNECTIONS = 50

/** A page that is rendered for each request against react-dom's stream of the same tree alone. */
export const measure: Part = async ({ pace, createFolder }) => {
  const site = await startSite({ folder: createFolder(), file: 'tools/bench/servers/uncached.ts' })
  const react = await startPeer('raw-react', await takeSample(site.port))
  const requests = [{ path: '/' }]
  const loads = [site, react].map(({ port }) => ({ port, connections: CONNECTIONS, requests }))
  const { rates } = await measureRates(pace, loads)
  await site.end()
  await react.end()
  const [ours = [], theirs = []] = rates
  return {
    title: 'A first, uncached render',
    how: `GET / with ${CONNECTIONS} connections of the real app, whose renderer here says no build, so that each page is streamed as it is made and none is kept; against bare node:http that writes the page's head, has react-dom stream the same tree from the same bundle, and writes the tail.`,
    figures: [
      {
        name: 'first render, of raw react-dom streaming',
        value: medianRatio(ours, theirs),
        unit: 'ratio',
        limit: { least: 0.8 },
      },
    ],
    tables: [
      {
        head: ['', 'requests a second'],
        rows: [
          ['site, nothing kept', write(median(ours), '/s')],
          ['raw react-dom', write(median(theirs), '/s')],
        ],
      },
    ],
  }
}
