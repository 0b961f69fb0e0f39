import type { RequestListener } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { FAULT_CODES } from '../../shared/contact-fields.ts'
import { pages } from '../../shared/pages.ts'
import { PROBLEMS } from '../../shared/problems.ts'
import { toUrlHost } from '../config/networks.ts'
import { listen } from '../connection/listen.ts'
import { measure } from '../inbox/measure.ts'
import type { Store } from '../inbox/store.ts'
import type { Logger } from '../log.ts'
import { ROUTE_LABELS, type RouteLabel } from '../requests/routes.ts'

const CONTACT_OUTCOMES = [
  'accepted',
  'quarantined',
  'repeated',
  'left', // the connection closed before the whole request had arrived
  ...Object.keys(PROBLEMS),
  ...FAULT_CODES,
]

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

interface MetricsOptions {
  store: Store
  /** True if mail is configured. */
  mails: boolean
  /** Commit of the running sources. */
  revision: string
}

export type Metrics = ReturnType<typeof createMetrics>

/** Metrics of a process. No label value is a visitor's text, so visitors cannot add label values. */
export function createMetrics(parts: MetricsOptions) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const createGauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })

  /** Each label value starts at 0, so that Prometheus sees the first event as an increase. */
  function createCounter(name: string, help: string, label: string, values: readonly string[]) {
    const counter = new Counter({ name, help, labelNames: [label], registers })
    for (const value of values) counter.inc({ [label]: value }, 0)
    return (value: string) => counter.inc({ [label]: value })
  }

  const mails = createGauge('mail_configured', '1 when mail is configured')
  mails.set(parts.mails ? 1 : 0)
  const build = createGauge('site_build_info', 'Always 1; its label is the commit that runs', [
    'revision',
  ])
  build.set({ revision: parts.revision }, 1)
  const clock = createGauge(
    'site_clock_seconds',
    "This machine's time, to compare with Prometheus' own",
  )
  const up = createGauge('inbox_up', '1 when the inbox can be written')
  const messages = createGauge(
    'inbox_messages',
    'Waiting messages by status: queued, held (those of the queued that MAIL_PER_HOUR delays), quarantined, dead',
    ['status'],
  )
  const oldest = createGauge(
    'inbox_oldest_message_age_seconds',
    'Waiting time of the oldest message, by status',
    ['status'],
  )
  const answers = new Counter({
    name: 'http_requests_total',
    help: 'Requests by page or route, and status (left: the connection closed before the end of the answer)',
    labelNames: ['page', 'status'],
    registers,
  })
  // Status 500 starts at 0, so that Prometheus sees the first error as an increase.
  for (const page of ROUTE_LABELS) answers.inc({ page, status: 500 }, 0)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by page or route',
    labelNames: ['page'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const dropped = new Counter({
    name: 'connections_refused_total',
    help: 'Connections refused because there were too many',
    registers,
  })

  return {
    answered(page: RouteLabel, status: number | 'left', seconds: number): void {
      answers.inc({ page, status })
      durations.observe({ page }, seconds)
    },
    dropped: () => dropped.inc(),
    contact: createCounter(
      'contact_requests_total',
      'Contact requests by outcome',
      'outcome',
      CONTACT_OUTCOMES,
    ),
    clientError: createCounter(
      'client_errors_total',
      'Script errors in browsers, by the page that the browser reports',
      'page',
      pages.map(({ id }) => id),
    ),
    /** Reads the metrics as Prometheus text. Omits the metrics of messages while the store is slow or fails: stale values would hide the failure. */
    async read(): Promise<string> {
      clock.set(Date.now() / 1000)
      const measures = await measure(parts.store).catch(() => undefined)
      up.set(parts.store.state() === 'open' ? 1 : 0)
      messages.reset()
      oldest.reset()
      for (const { status, count, oldestAgeMs } of measures?.messages ?? []) {
        messages.set({ status }, count)
        oldest.set({ status }, oldestAgeMs / 1000)
      }
      return registry.metrics()
    },
  }
}

/** GET /metrics on its own port, which must not be public. Resolves to a function that closes the port. */
export async function startMetricsServer(
  host: string,
  metricsPort: number,
  read: () => Promise<string>,
  log: Logger,
): Promise<() => void> {
  const onRequest: RequestListener = async (req, res) => {
    res.setHeader('Cache-Control', 'no-store')
    if (req.url !== '/metrics') {
      res.writeHead(404).end()
    } else {
      try {
        const text = await read()
        res.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text)
      } catch (err) {
        log.error({ err }, 'metrics could not be read')
        res.writeHead(500).end()
      }
    }
  }
  const { port, servers, answer } = await listen(host, metricsPort)
  answer(onRequest)
  log.info({ metricsPort: port }, `metrics on http://${toUrlHost(host)}:${port}/metrics`)
  return () => {
    for (const server of servers) server.close().closeAllConnections()
  }
}
