import { Gauge, type Registry } from 'prom-client'
import type { Inbox } from '../../inbox/inbox.ts'

interface InboxMetricsParts {
  inbox: Pick<Inbox, 'measure' | 'state'>
}

/** How long the inbox may take to tell, in ms: a scrape waits for 10 s by default. */
const PATIENCE = 1500

/**
 * What waits in the inbox, asked of the store when the metrics are read. A sick inbox shows as
 * `inbox_up 0`. A store that does not tell in time shows no figures: old ones would say that all is well.
 */
export function createInboxMetrics(
  registry: Registry,
  { inbox }: InboxMetricsParts,
): () => Promise<void> {
  const registers = [registry]
  // Several processes see the same store; the worst of what they see counts.
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
    help: 'How long the oldest of these messages has waited',
    labelNames: ['status'],
    registers,
    aggregator: 'max',
  })

  return async () => {
    const measures = await inbox.measure(Date.now() + PATIENCE).catch(() => undefined)
    up.set(inbox.state() === 'open' ? 1 : 0)
    messages.reset()
    oldest.reset()
    for (const [status, { count, waitedMs = 0 }] of Object.entries(measures ?? {})) {
      messages.set({ status }, count)
      oldest.set({ status }, waitedMs / 1000)
    }
  }
}
