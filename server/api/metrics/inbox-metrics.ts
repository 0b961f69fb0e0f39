import { Gauge, type Registry } from 'prom-client'
import type { Inbox } from '../../inbox/inbox.ts'

interface InboxMetricsParts {
  inbox: Pick<Inbox, 'measure' | 'state'>
}

/** A scrape waits for 10 s by default. */
const MEASURE_TIMEOUT_MS = 1500

/** Reads the inbox at each scrape. A slow or failed store shows no figures: stale ones would hide the failure. */
export function createInboxMetrics(
  registry: Registry,
  { inbox }: InboxMetricsParts,
): () => Promise<void> {
  const registers = [registry]
  // Several processes read the same store: the worst value counts.
  const up = new Gauge({
    name: 'inbox_up',
    help: '1 when the inbox can be written',
    registers,
    aggregator: 'min',
  })
  const messages = new Gauge({
    name: 'inbox_messages',
    help: 'Messages by what they wait for: queued (held is the part that MAIL_PER_HOUR holds back), quarantined, dead',
    labelNames: ['status'],
    registers,
    aggregator: 'max',
  })
  const oldest = new Gauge({
    name: 'inbox_oldest_message_age_seconds',
    help: 'Age of the oldest of these messages',
    labelNames: ['status'],
    registers,
    aggregator: 'max',
  })

  return async () => {
    const measures = await inbox.measure(Date.now() + MEASURE_TIMEOUT_MS).catch(() => undefined)
    up.set(inbox.state() === 'open' ? 1 : 0)
    messages.reset()
    oldest.reset()
    for (const [status, { count, waitedMs = 0 }] of Object.entries(measures ?? {})) {
      messages.set({ status }, count)
      oldest.set({ status }, waitedMs / 1000)
    }
  }
}
