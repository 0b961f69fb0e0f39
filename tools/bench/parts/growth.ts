import { CONTENT, toGet } from '../addresses.ts'
import { median, medianRatio, write } from '../figures.ts'
import type { Load } from '../load.ts'
import type { Part } from '../main.ts'
import { startSite } from '../processes.ts'
import { measureRates } from '../rounds.ts'

const CONNECTIONS = [1, 10, 100, 1000]
const USUAL = 50

const allPages = CONTENT.map((address) => toGet(address))

/** What more visitors, and more pages, cost. */
export const measure: Part = async ({ pace, createFolder }) => {
  const site = await startSite({ folder: createFolder() })
  const home = [{ path: '/' }]
  const targets: [string, Omit<Load, 'port'>][] = [
    ...CONNECTIONS.map((connections): [string, Omit<Load, 'port'>] => [
      `${connections} ${connections === 1 ? 'connection' : 'connections'}, home`,
      { connections, requests: home },
    ]),
    [`${USUAL} connections, home`, { connections: USUAL, requests: home }],
    [
      `${USUAL} connections, all ${allPages.length} pages`,
      { connections: USUAL, requests: allPages },
    ],
  ]
  const loads = targets.map(([, load]) => ({ ...load, port: site.port }))
  const { rates, outcomes } = await measureRates({ ...pace, warmUp: pace.warmUp / 4 }, loads)
  await site.end()
  const [few = [], , , many = [], onePage = [], everyPage = []] = rates
  return {
    title: 'Growth',
    how: 'GET from memory, identity; latency from the request to the last byte of its answer, the median of the rounds.',
    figures: [
      { name: '1 000 connections, of 1 connection', value: medianRatio(many, few), unit: 'ratio' },
      {
        name: 'all pages in turn, of home alone',
        value: medianRatio(everyPage, onePage),
        unit: 'ratio',
      },
    ],
    tables: [
      {
        head: ['', 'requests a second', 'p50', 'p99'],
        rows: targets.map(([name], at) => [
          name,
          write(median(rates[at] ?? []), '/s'),
          write(median((outcomes[at] ?? []).map(({ p50 }) => p50)), 'ms'),
          write(median((outcomes[at] ?? []).map(({ p99 }) => p99)), 'ms'),
        ]),
      },
    ],
  }
}
