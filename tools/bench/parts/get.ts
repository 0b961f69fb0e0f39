import { type Findings, median, medianRatio, write } from '../figures.ts'
import type { Load } from '../load.ts'
import type { Part, PartParts } from '../main.ts'
import { startPeer, startSite } from '../processes.ts'
import { measureRates } from '../rounds.ts'
import { takeKeptSample } from '../sample.ts'

const CONNECTIONS = 50
const ENCODINGS = { identity: {}, br: { 'Accept-Encoding': 'br' } }

/** A share of the rounds, with all three servers started anew. */
async function measureSet({ pace, createFolder }: PartParts, headers: Record<string, string>) {
  const site = await startSite({ folder: createFolder() })
  const answer = await takeKeptSample(site.port, headers)
  const bare = await startPeer('bare', answer)
  const express = await startPeer('express', answer)
  const servers = [site, bare, express]
  try {
    const loads = servers.map(({ port }): Load => {
      return { port, connections: CONNECTIONS, requests: [{ path: '/', headers }] }
    })
    const measured = await measureRates({ ...pace, rounds: pace.rounds / pace.sets }, loads)
    const [ours, bares] = measured.outcomes.map(
      (each) => (each[0]?.bytes ?? 0) / (each[0]?.answers ?? 1),
    )
    if (ours !== bares) throw new Error(`Not the same bytes: ${ours} and ${bares}`)
    return { ...measured, size: answer.body.length }
  } finally {
    for (const server of servers) await server.end()
  }
}

async function compare(name: string, headers: Record<string, string>, parts: PartParts) {
  const sets: Awaited<ReturnType<typeof measureSet>>[] = []
  for (let set = 0; set < parts.pace.sets; set++) sets.push(await measureSet(parts, headers))
  const [ours, bares, expresses] = [0, 1, 2].map((server) =>
    sets.flatMap(({ rates }) => rates[server] ?? []),
  ) as [number[], number[], number[]]
  const busiest = Math.max(...sets.flatMap(({ outcomes }) => outcomes.flat().map((o) => o.busy)))
  return {
    row: [
      `${name}, ${sets[0]?.size} bytes`,
      ...[ours, bares, expresses].map((each) => write(median(each), '/s')),
      `${Math.round(busiest * 100)} %`,
    ],
    bare: medianRatio(ours, bares),
    express: medianRatio(ours, expresses),
  }
}

/** The kept home page against bare node:http and Express with helmet, each writing the same bytes. */
export const measure: Part = async (parts): Promise<Findings> => {
  const findings: Findings = {
    title: 'GET / from memory',
    how: `Requests a second with ${CONNECTIONS} connections. Bare node:http writes the same bytes with the same headers; Express with helmet() sends the same body as a constant, with helmet's default headers in place of ours, without computing an ETag. Ratios are medians of each round's ratio; after each ${parts.pace.rounds / parts.pace.sets} rounds all three are started anew, since no two starts are compiled alike. The last column says how busy the load generator was at most: below 100 % it is the servers that are measured.`,
    figures: [],
    tables: [
      { head: ['encoding', 'site', 'node:http', 'Express + helmet', 'generator'], rows: [] },
    ],
  }
  for (const [name, headers] of Object.entries(ENCODINGS)) {
    const { row, bare, express } = await compare(name, headers, parts)
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
  return findings
}
