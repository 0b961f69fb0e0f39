const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Exponential backoff: `firstMs` after the first failure, then doubled, up to `maxMs`. */
export interface Backoff {
  firstMs: number
  maxMs: number
}

export interface OutboxPace {
  maxConcurrentSends: number
  /** Longer than the longest send. */
  leaseMs: number
  /** Polling interval: finds mail that other processes queued. */
  maxRestMs: number
  /** Rest after an empty or failed poll. */
  minRestMs: number
  queueTimeoutMs: number
  retries: Backoff & {
    /** A failure later than this after queueing is final. */
    lifetimeMs: number
  }
  /** Pauses of the whole outbox while our settings are wrong: servers lock out repeated failed logins. */
  pauses: Backoff
}

/** For one call of the mail queue. */
export const QUEUE_TIMEOUT_MS = 5 * SECOND_MS

export const OUTBOX_PACE: OutboxPace = {
  maxConcurrentSends: 4,
  leaseMs: 5 * MINUTE_MS,
  maxRestMs: 30 * SECOND_MS,
  minRestMs: SECOND_MS,
  queueTimeoutMs: QUEUE_TIMEOUT_MS,
  retries: { firstMs: 30 * SECOND_MS, maxMs: 12 * HOUR_MS, lifetimeMs: 5 * 24 * HOUR_MS },
  pauses: { firstMs: 30 * SECOND_MS, maxMs: 15 * MINUTE_MS },
}

/** Polling each minute follows clock corrections and daylight saving time without further code. */
export const DIGEST_INTERVAL_MS = MINUTE_MS
/** Also the wait after a digest that failed, here or in another process. */
export const DIGEST_LEASE_MS = 10 * MINUTE_MS

export interface MailTimeouts {
  /** From the DNS lookup to the end of STARTTLS. */
  connectionMs: number
  greetingMs: number
  /** Without a byte from the server. Content filters may take a while to accept a mail. */
  silenceMs: number
  /** Of the whole send: a server that drips bytes defeats every other timeout. */
  totalMs: number
}

export const MAIL_TIMEOUTS: MailTimeouts = {
  connectionMs: 20 * SECOND_MS,
  greetingMs: 15 * SECOND_MS,
  silenceMs: 90 * SECOND_MS,
  totalMs: 2 * MINUTE_MS,
}

/** Adds up to half of the delay at random, so that many retries spread out. */
export function getBackoffMs(
  failures: number,
  { firstMs, maxMs }: Backoff,
  random: () => number,
): number {
  return Math.min(firstMs * 2 ** failures, maxMs / 1.5) * (1 + random() / 2)
}

/** Delay until the next try; undefined when the failed try was the last. */
export function findRetryDelayMs(
  { attempts, waitedMs }: { attempts: number; waitedMs: number },
  retries: OutboxPace['retries'],
  random: () => number,
): number | undefined {
  const restMs = retries.lifetimeMs - waitedMs
  if (restMs <= 0) return undefined
  return Math.round(Math.min(getBackoffMs(attempts, retries, random), restMs))
}
