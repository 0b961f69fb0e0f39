import { type Findings, median, medianRatio, write } from '../figures.ts'
import type { Load } from '../load.ts'
import type { Part } from '../main.ts'
import { startPeer, startSite } from '../processes.ts'
import { measureRates, type Pace } from '../rounds.ts'
import { takeSample } from '../sample.ts'

const CONNECTIONS = 50
const ENCODINGS = { identity: {}, br: { 'Accept-Encoding': 'br' } }

async function compare(name: string, headers: Record<string, string>, port: number, pace: Pace) {
  const answer = await takeSample(port, headers, pace.warmUp)
  const bare = await startPeer('bare', answer)
  const express = await startPeer('express', answer)
  try {
    const loads = [port, bare.port, express.port].map((each): Load => {
      return { port: each, connections: CONNECTIONS, requests: [{ path: '/', headers }] }
    })
    const { rates, outcomes } = await measureRates(pace, loads)
    const [ours = [], bares = [], expresses = []] = rates
    const sizes = outcomes
      .slice(0, 2)
      .map((each) => (each[0]?.bytes ?? 0) / (each[0]?.answers ?? 1))
    if (sizes[0] !== sizes[1]) throw new Error(`Not the same bytes: ${sizes.join(' and ')}`)
    const busiest = Math.max(...outcomes.flat().map(({ busy }) => busy))
    return {
      row: [
        `${name}, ${answer.body.length} bytes`,
        ...[ours, bares, expresses].map((each) => write(median(each), '/s')),
        `${Math.round(busiest * 100)} %`,
      ],
      bare: medianRatio(ours, bares),
      express: medianRatio(ours, expresses),
    }
  } finally {
    await bare.end()
    await express.end()
  }
}

/** The kept home page against bare node:http and Express with helmet, each writing the same bytes. */
export const measure: Part = async ({ pace, createFolder }): Promise<Findings> => {
  const site = await startSite({ folder: createFolder() })
  const findings: Findings = {
    title: 'GET / from memory',
    how: `Requests a second with ${CONNECTIONS} connections. Bare node:http writes the same bytes with the same headers; Express with helmet() sends the same body as a constant, with helmet's default headers in place of ours, without computing an ETag. Ratios are medians of each round's ratio. The last column says how busy the load generator was at most: below 100 % it is the servers that are measured.`,
    figures: [],
    tables: [
      { head: ['encoding', 'site', 'node:http', 'Express + helmet', 'generator'], rows: [] },
    ],
  }
  for (const [name, headers] of Object.entries(ENCODINGS)) {
    const { row, bare, express } = await compare(name, headers, site.port, pace)
    site.emptyLog()
    findings.tables[0]?.rows.push(row)
    findings.figures.push(
      {
        name: `GET / (${name}), of bare node:http`,
        value: bare,
        unit: 'ratio',
        limit: { least: 0.6 },
      },
      {
        name: `GET / (${name}), of Express with helmet`,
        value: express,
        unit: 'ratio',
        limit: { least: 0.95 },
      },
    )
  }
  await site.end()
  return findings
}
