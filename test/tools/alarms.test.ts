import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROUTE_LABELS } from '../../server/requests/routes.ts'
import { pages } from '../../shared/pages.ts'
import { startSite } from '../support/site.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}

interface Panel {
  title: string
  targets: { expr: string }[]
}

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const { groups } = parse(read('deploy/alarms.yaml'))
const rules: Rule[] = groups.flatMap((group: { rules: Rule[] }) => group.rules)
const { panels }: { panels: Panel[] } = JSON.parse(read('deploy/dashboard.json'))

const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

const LANGUAGE =
  'abs absent and changes count histogram_quantile increase max min or rate sum timestamp'.split(
    ' ',
  )

/** The names of metrics in a query. */
function findNames(query: string): string[] {
  const bare = query.replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|on) \([^)]*\)/g, '')
  return (bare.match(/[a-z_]\w*/g) ?? []).filter((name) => !LANGUAGE.includes(name))
}

let exposition: string
beforeAll(async () => {
  const site = await startSite({ counted: true })
  exposition = await site.readMetrics()
  await site.stop()
})

/** The names under which Prometheus stores the metrics, and `up`, which Prometheus adds. */
const storedNames = () => [
  'up',
  ...[...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
]

test.each(queries)('%s reads metrics and label values that exist: %s', (_name, query) => {
  const names = findNames(query)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !storedNames().includes(name))).toEqual([])
  for (const [, label, value] of query.matchAll(/\b(outcome|result|status)="([a-z\d-]+)"/g)) {
    expect(exposition).toContain(`${label}="${value}"`)
  }
  for (const [, labels = ''] of query.matchAll(/page!~"([^"]*)"/g)) {
    expect(ROUTE_LABELS).toEqual(expect.arrayContaining(labels.split('|')))
  }
})

test('the times of pages leave out no page, only posts', () => {
  const times = queries.filter(([, query]) => query.includes('duration_seconds_bucket'))
  expect(times.length).toBeGreaterThan(2)
  const ids: string[] = pages.map(({ id }) => id)
  for (const [, query] of times) {
    const [, labels = ''] = /page!~"([^"]*)"/.exec(query) ?? []
    expect(labels.split('|').filter((label) => ids.includes(label))).toEqual([])
  }
})

test.each(rules)('$alert has a severity and an action', (rule) => {
  expect(rule.labels.severity).toMatch(/^(page|ticket)$/)
  expect(rule.annotations.summary).toBeTruthy()
  expect(rule.annotations.action.length).toBeGreaterThan(40)
})

test('every alarm has its own name, and fires in the unit tests of the rules', () => {
  const names = rules.map(({ alert }) => alert)
  const [first] = parse(read('deploy/alarms-test.yaml')).tests
  const samples: { labels: string }[] = first.promql_expr_test[0].exp_samples
  const fired = samples.map(({ labels }) => labels.replace(/^.*"(\w+)".*$/, '$1'))
  expect(fired.toSorted()).toEqual(names.toSorted())
  expect(new Set(names).size).toBe(names.length)
})

test('the manual names metrics that exist', () => {
  const rows = read('docs/monitoring.md').match(/^\| `.*/gm) ?? []
  const named = rows.flatMap((row) => row.split(' | ')[0]?.match(/[a-z]+(?:_[a-z]+)+/g) ?? [])
  expect(named.length).toBeGreaterThan(7)
  const written = [...exposition.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(named.filter((name) => !written.includes(name))).toEqual([])
})
