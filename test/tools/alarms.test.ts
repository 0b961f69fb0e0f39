import { parse } from 'yaml'
import { ROUTE_LABELS } from '../../server/requests/routes.ts'
import { read } from '../../tools/harness/project.ts'
import { openSite } from '../support/site.ts'

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}

const rules: Rule[] = parse(read('deploy/alarms.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)
const { panels }: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  read('deploy/dashboard.json'),
)
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

/** The names of metrics in a text: all have an underscore, except `up`, which Prometheus adds. */
const findNames = (text: string) =>
  text.replace(/\{[^}]*\}/g, '').match(/\b(?!histogram_quantile)[a-z]+(?:_[a-z\d]+)+/g) ?? []

let exposition: string
let metrics: string[][]
beforeAll(async () => {
  const site = await openSite({ counted: true })
  exposition = await site.readMetrics()
  metrics = exposition.match(/(?<=^# TYPE ).*/gm)?.map((line) => line.split(' ')) ?? []
  await site.stop()
})

test.each(queries)('%s reads metrics and label values that exist: %s', (_name, query) => {
  const stored = metrics.flatMap(([name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  expect(findNames(query).filter((name) => !stored.includes(name))).toEqual([])
  for (const [, label, value] of query.matchAll(/\b(outcome|result|status)="([a-z\d-]+)"/g)) {
    expect(exposition).toContain(`${label}="${value}"`)
  }
  for (const [, labels = ''] of query.matchAll(/page!~"([^"]*)"/g)) {
    expect(ROUTE_LABELS).toEqual(expect.arrayContaining(labels.split('|')))
  }
})

test('every alarm has its own name, a severity and an action, and fires in the unit tests of the rules', () => {
  for (const { labels, annotations } of rules) {
    expect(labels.severity).toMatch(/^(page|ticket)$/)
    expect(annotations).toEqual({
      summary: expect.stringMatching(/./),
      action: expect.stringMatching(/^docs\/troubleshooting\.md: ./),
    })
    const [, row = ''] = annotations.action.split('troubleshooting.md: ')
    expect(read('docs/troubleshooting.md')).toMatch(
      new RegExp(`^(?:\\|.*|#.*)${RegExp.escape(row)}`, 'm'),
    )
  }
  const names = rules.map(({ alert }) => alert)
  const [first] = parse(read('deploy/alarms-test.yaml')).tests
  const samples: { labels: string }[] = first.promql_expr_test[0].exp_samples
  const fired = samples.map(({ labels }) => labels.replace(/^.*"(\w+)".*$/, '$1'))
  expect(fired.toSorted()).toEqual([...new Set(names)].toSorted())
  expect(fired).toHaveLength(names.length)
})
