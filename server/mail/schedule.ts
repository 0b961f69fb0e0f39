import { MAX_RETRY_DELAY_MS } from '../inbox/clock.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

export const OUTBOX_PACE = {
  maxConcurrentSends: 4,
  /** A lease is longer than the longest send. */
  leaseMs: 5 * MINUTE_MS,
  /** Maximum time between polls, which find mail that other processes queued, and queue the daily letter. */
  maxRestMs: 30 * SECOND_MS,
  /** Minimum time between polls, and the delay after a failure of the inbox. */
  minRestMs: SECOND_MS,
  /** Timeout of one call of the mail queue. */
  queueTimeoutMs: 5 * SECOND_MS,
  /** 22 tries take five days on average. Time without a try does not count: mail may have been off. */
  retries: { firstMs: 30 * SECOND_MS, maxMs: MAX_RETRY_DELAY_MS, maxTries: 22 },
  /** Pauses of the whole outbox while our settings are wrong: servers lock out repeated failed logins. */
  pauses: { firstMs: 30 * SECOND_MS, maxMs: 15 * MINUTE_MS },
}
export type OutboxPace = typeof OUTBOX_PACE

export const MAIL_TIMEOUTS = {
  /** Timeout from the DNS lookup to the end of STARTTLS. */
  connectionMs: 20 * SECOND_MS,
  greetingMs: 15 * SECOND_MS,
  /** Maximum time without a byte. A content filter may take more than a minute to accept a mail. */
  silenceMs: 90 * SECOND_MS,
  /** Timeout of the whole send: a server that sends single bytes slowly defeats every other timeout. */
  totalMs: 2 * MINUTE_MS,
}

/** Exponential backoff. Adds up to half of the delay at random, so that many retries spread out. */
export function getBackoffMs(failures: number, { firstMs, maxMs }: OutboxPace['pauses']): number {
  return Math.min(firstMs * 2 ** failures, maxMs / 1.5) * (1 + Math.random() / 2)
}

/** Delay until the next try; undefined when the failed try was the last. */
export function findRetryDelayMs(
  attempts: number,
  retries: OutboxPace['retries'],
): number | undefined {
  if (attempts + 1 >= retries.maxTries) return undefined
  return Math.round(getBackoffMs(attempts, retries))
}
