import { Counter, Histogram, type Registry } from 'prom-client'

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const DURATIONS = {
  name: 'http_request_duration_seconds',
  help: 'Time from the request to the end of its answer, by page or route',
}

class Route {
  /** One counter for each bound, and one more for slower answers. */
  durations = new Float64Array(BOUNDS_SECONDS.length + 1)
  seconds = 0
  /** Status 500 starts at 0, so that Prometheus sees the first error as an increase. */
  statuses = new Map<number | 'left', number>([[500, 0]])

  count(status: number | 'left', seconds: number): void {
    const index = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound)
    const bucket = index < 0 ? BOUNDS_SECONDS.length : index
    this.durations[bucket] = (this.durations[bucket] ?? 0) + 1
    this.seconds += seconds
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }
}

/** Fills prom-client's metrics only when they are read, because prom-client's own counting is slower. */
export function createRequestCounter<Label extends string>(
  registry: Registry,
  labels: readonly Label[],
): (label: Label, status: number | 'left', seconds: number) => void {
  const routes = new Map(labels.map((label) => [label, new Route()]))
  const registers = [registry]

  class Durations extends Histogram<'page' | 'le'> {
    /** The registry reads a histogram by this method, which prom-client's types omit. */
    async getForPromString() {
      const values = [...routes]
        .filter(([, { durations }]) => durations.some(Boolean))
        .flatMap(([page, { durations, seconds }]) => {
          let value = 0
          const buckets = [...BOUNDS_SECONDS, '+Inf'].map((le, index) => {
            value += durations[index] ?? 0
            return { metricName: `${DURATIONS.name}_bucket`, value, labels: { page, le } }
          })
          return [
            ...buckets,
            { metricName: `${DURATIONS.name}_sum`, value: seconds, labels: { page } },
            { metricName: `${DURATIONS.name}_count`, value, labels: { page } },
          ]
        })
      return { ...DURATIONS, type: 'histogram', values }
    }
  }

  new Counter({
    name: 'http_requests_total',
    help: 'Requests by page or route, and status (left: the connection closed before the end of the answer)',
    labelNames: ['page', 'status'],
    registers,
    collect() {
      this.reset()
      for (const [page, { statuses }] of routes)
        for (const [status, value] of statuses) this.inc({ page, status }, value)
    },
  })
  new Durations({ ...DURATIONS, labelNames: ['page'], registers })
  return (label, status, seconds) => routes.get(label)?.count(status, seconds)
}
