import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { FAULT_CODES } from '../../../shared/contact.ts'
import { pages } from '../../../shared/pages.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import { createRequestCounter } from '../../fast-path/request-counter.ts'
import type { Inbox } from '../../inbox/inbox.ts'
import { MAIL_RESULTS, type MailResult } from '../../mail/counted-mailer.ts'
import type { CountAnswer } from '../../requests/log-requests.ts'
import { ROUTE_LABELS } from '../../requests/route-labels.ts'
import { createInboxMetrics } from './inbox-metrics.ts'

/** What became of a contact request: what was answered 200, or the code of its refusal. */
const CONTACT_OUTCOMES = [
  'accepted',
  'quarantined',
  'replayed',
  'left', // the visitor did not wait for the answer
  ...Object.keys(PROBLEMS),
  ...FAULT_CODES,
]

/** What prom-client makes of all metrics, ready to be sent to another process. */
export type Families = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** What a process counts. No label comes from what a visitor sends. */
export interface Metrics {
  answered: CountAnswer
  contact(outcome: string): void
  mailed(result: MailResult): void
  /** A script that failed in a browser, by the page that it says. */
  clientError(page: string): void
  /** A connection that was refused, because there were too many. */
  dropped(): void
  /** All of it at this moment; asks the inbox, too. */
  read(): Promise<Families>
}

export interface MetricsParts {
  inbox: Pick<Inbox, 'measure' | 'state'>
  /** Whether anything mails what waits. */
  mails: boolean
}

export function createMetrics(parts: MetricsParts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  showWorstEventLoop(registry)
  const answered = createRequestCounter(registry, ROUTE_LABELS)
  const askInbox = createInboxMetrics(registry, parts)

  /** A counter by one label that is there with 0 from the start, so that a first event shows as a rise. */
  function createCounter(name: string, help: string, label: string, values: readonly string[]) {
    const counter = new Counter({ name, help, labelNames: [label], registers })
    const known = new Set(values)
    for (const value of values) counter.inc({ [label]: value }, 0)
    return (value: string) => {
      if (known.has(value)) counter.inc({ [label]: value })
    }
  }

  new Gauge({
    name: 'mail_configured',
    help: '1 when messages are mailed',
    registers,
    aggregator: 'max',
  }).set(parts.mails ? 1 : 0)

  const dropped = new Counter({
    name: 'connections_refused_total',
    help: 'Connections that were refused, because there were too many',
    registers,
  })

  return {
    answered,
    dropped: () => dropped.inc(),
    contact: createCounter(
      'contact_requests_total',
      'Contact requests by what became of them',
      'outcome',
      CONTACT_OUTCOMES,
    ),
    mailed: createCounter(
      'mail_sends_total',
      'Mails handed to the mail server, by what became of it',
      'result',
      MAIL_RESULTS,
    ),
    clientError: createCounter(
      'client_errors_total',
      'Scripts that failed in a browser, by the page that the browser names',
      'page',
      pages.map(({ id }) => id),
    ),
    async read() {
      await askInbox()
      return registry.getMetricsAsJSON()
    },
  }
}

/** Of several processes prom-client would tell the average, behind which one that hangs can hide. */
function showWorstEventLoop(registry: Registry): void {
  for (const metric of registry.getMetricsAsArray()) {
    if (metric.name.startsWith('nodejs_eventloop_lag')) metric.aggregator = 'max'
  }
}
