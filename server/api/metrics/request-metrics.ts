import { Counter, Histogram, type Registry } from 'prom-client'
import { ROUTE_LABELS, type RouteLabel } from '../../requests/route-labels.ts'

/** Upper bounds, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** The status of a request whose visitor left before the answer was whole. */
const LEFT = 'left'

interface Route {
  /** By bound, and one more for what is slower than all of them. */
  durations: Float64Array
  seconds: number
  statuses: Map<number | typeof LEFT, number>
}

/** Counts an answer; `left` says that the visitor did not wait for the end of it. */
export type CountAnswer = (
  label: RouteLabel,
  status: number,
  seconds: number,
  left: boolean,
) => void

/**
 * Requests by label and status, and how long they took. Counted by hand and handed to prom-client
 * when it asks: its own observe() makes an object and two strings for each request.
 */
export function createRequestMetrics(registry: Registry): CountAnswer {
  const routes = new Map<RouteLabel, Route>(
    ROUTE_LABELS.map((label) => [
      label,
      { durations: new Float64Array(BOUNDS.length + 1), seconds: 0, statuses: new Map() },
    ]),
  )
  const registers = [registry]

  class Requests extends Counter<'page' | 'status'> {
    override async get() {
      const values = [...routes].flatMap(([page, { statuses }]) =>
        [...statuses].map(([status, value]) => ({ value, labels: { page, status } })),
      )
      return { ...(await super.get()), values }
    }
  }

  class Durations extends Histogram<'page' | 'le'> {
    override async get() {
      const name = 'http_request_duration_seconds'
      const values = [...routes]
        .filter(([, { statuses }]) => statuses.size > 0)
        .flatMap(([page, { durations, seconds }]) => {
          let value = 0
          const buckets = [...BOUNDS, '+Inf'].map((le, index) => {
            value += durations[index] ?? 0
            return { metricName: `${name}_bucket`, value, labels: { page, le } }
          })
          return [
            ...buckets,
            { metricName: `${name}_sum`, value: seconds, labels: { page } },
            { metricName: `${name}_count`, value, labels: { page } },
          ]
        })
      return { ...(await super.get()), values }
    }
  }

  new Requests({
    name: 'http_requests_total',
    help: 'Requests answered, by page or route, and status',
    labelNames: ['page', 'status'],
    registers,
  })
  new Durations({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by page or route',
    labelNames: ['page'],
    registers,
  })

  return (label, status, seconds, left) => {
    const route = routes.get(label) ?? (routes.get('none') as Route)
    let index = 0
    while (index < BOUNDS.length && seconds > (BOUNDS[index] as number)) index += 1
    route.durations[index] = (route.durations[index] as number) + 1
    route.seconds += seconds
    const key = left ? LEFT : status
    route.statuses.set(key, (route.statuses.get(key) ?? 0) + 1)
  }
}
