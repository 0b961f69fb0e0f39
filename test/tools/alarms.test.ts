import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AggregatorRegistry } from 'prom-client'
import { parse } from 'yaml'
import { createWorkerMetrics } from '../../server/api/metrics/worker-metrics.ts'
import { ROUTE_LABELS } from '../../server/requests/route-labels.ts'
import { startSite } from '../support/site.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}

const DOCS = join(import.meta.dirname, '../../docs')
const { groups } = parse(readFileSync(join(DOCS, 'alarms.yaml'), 'utf8'))
const rules: Rule[] = groups.flatMap((group: { rules: Rule[] }) => group.rules)

const LANGUAGE = ['sum', 'by', 'rate', 'increase', 'histogram_quantile', 'and', 'on']
const LABELS = ['job', 'instance', 'le']
/** Prometheus adds these. */
const OWN = ['up']

/** The names in an expression, except label values and durations. */
function findNames(expr: string): string[] {
  const bare = expr.replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
  const known = [...LANGUAGE, ...LABELS, ...OWN]
  return (bare.match(/[a-z_]\w*/g) ?? []).filter((name) => !known.includes(name))
}

let exposition: string
beforeAll(async () => {
  const site = await startSite({ counted: true })
  exposition =
    (await site.readMetrics()) +
    (await AggregatorRegistry.aggregate(await createWorkerMetrics(2).read()).metrics())
  await site.stop()
})

/** The names under which Prometheus stores the metrics. */
const storedNames = () =>
  [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )

test('every alarm has its own name', () => {
  expect(rules.length).toBeGreaterThan(5)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})

test.each(rules)('$alert has a severity, an action, and metrics that exist', (rule) => {
  expect(rule.labels.severity).toMatch(/^(page|ticket)$/)
  expect(rule.annotations.summary).toBeTruthy()
  expect(rule.annotations.action.length).toBeGreaterThan(40)
  if (rule.for) expect(rule.for).toMatch(/^\d+[mh]$/)
  const names = findNames(rule.expr)
  expect(names.filter((name) => !storedNames().includes(name))).toEqual([])
  expect(names.length > 0 || rule.expr.startsWith('up')).toBe(true)
  for (const [, label, value] of rule.expr.matchAll(/\b(outcome|result|status)="([a-z-]+)"/g)) {
    expect(exposition).toContain(`${label}="${value}"`)
  }
  for (const [, pages = ''] of rule.expr.matchAll(/page!~"([^"]*)"/g)) {
    expect(ROUTE_LABELS).toEqual(expect.arrayContaining(pages.split('|')))
  }
})

test('the manual names metrics that exist', () => {
  const manual = readFileSync(join(DOCS, 'operating.md'), 'utf8')
  const table = /### Metrics\n([\s\S]*?)\n#/.exec(manual)?.[1] ?? ''
  const named = [...table.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)/g)].map(([, name]) => name ?? '')
  expect(named.length).toBeGreaterThan(8)
  const written = [...exposition.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(named.filter((name) => !written.includes(name))).toEqual([])
})
