import { RETRY_SCHEDULE, type RetrySchedule } from './retry-schedule.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Durations in ms. */
export interface OutboxPace {
  /** How many mails are sent at once. */
  atOnce: number
  /** Longer than the longest send. */
  lease: number
  /** How often to look for what other processes queued. */
  longestRest: number
  /** How long to leave the queue alone where nothing was due, or it failed. */
  shortestRest: number
  /** How long one call of the queue may take. */
  patience: number
  retries: RetrySchedule
  /** Between tries while our own settings are at fault: servers lock out who often fails to log in. */
  pauses: Pick<RetrySchedule, 'first' | 'longest'>
}

export const OUTBOX_PACE: OutboxPace = {
  atOnce: 4,
  lease: 5 * MINUTE,
  longestRest: 30 * SECOND,
  shortestRest: SECOND,
  patience: 5 * SECOND,
  retries: RETRY_SCHEDULE,
  pauses: { first: 30 * SECOND, longest: 15 * MINUTE },
}
