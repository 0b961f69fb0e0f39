import { parse } from 'yaml'
import { ROUTE_LABELS } from '../../server/requests/routes.ts'
import { read } from '../../tools/harness/project.ts'
import { openSite } from '../support/site.ts'

interface Rule {
  alert: string
  expr: string
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
