import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Proof } from './main.ts'
import { RULES, type Rule, type Visit } from './observatory/rules.ts'
import { startSite } from './site.ts'
import { withStores } from './stores.ts'

const BASE = 100
/** Below it there are no bonuses. */
const ENOUGH_FOR_BONUSES = 90
const WANTED = 150
const ORIGIN = 'https://www.example.ca'

/** The home page as the scanner would see it: through a proxy with TLS. */
function visit(url: string): Promise<Visit> {
  const headers = { Host: new URL(ORIGIN).host, Origin: 'https://scanner.example' }
  return new Promise((resolve, reject) => {
    get(url, { headers }, async (response) => {
      resolve({ headers: response.headers, html: await text(response) })
    }).once('error', reject)
  })
}

function score(points: number[]): number {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, BASE)
  const withoutBonuses = sum(points.filter((value) => value < 0))
  return Math.max(0, withoutBonuses >= ENOUGH_FOR_BONUSES ? sum(points) : withoutBonuses)
}

/** The home page's points by the rules of MDN's HTTP Observatory. */
export const prove: Proof = ({ report, stores: asked }) =>
  withStores(asked.length > 0 ? asked : ['sqlite'], async (_kind, stores) => {
    const environment = { PUBLIC_URL: ORIGIN }
    const site = await startSite(await stores.create(), { environment })
    const home = await visit(site.url)
    await site.end('SIGTERM')
    const results = RULES.map((rule: Rule) => ({ ...rule, points: rule.judge(home) }))
    for (const { name, points, most, missing } of results) {
      const why = points < most ? ` of ${most}: ${missing}` : ''
      report.note(`${name}: ${points > 0 ? '+' : ''}${points}${why}`)
    }
    const total = score(results.map(({ points }) => points))
    report.claim(`${total} points, ${WANTED} wanted`, total >= WANTED)
  })
