import type { Mail } from '../inbox/mail-queue.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** Durations in ms. */
export interface RetrySchedule {
  /** After the first failure; doubles with each one. */
  first: number
  longest: number
  /** How long after it was queued a mail is tried for the last time. */
  lifetime: number
}

export const RETRY_SCHEDULE: RetrySchedule = {
  first: 30 * SECOND,
  longest: 12 * HOUR,
  lifetime: 5 * 24 * HOUR,
}

/** A span doubled with each failure, and up to half as long again, so that many spread out. */
export function backOff(
  failures: number,
  { first, longest }: Pick<RetrySchedule, 'first' | 'longest'>,
  random: () => number,
): number {
  const span = Math.min(first * 2 ** failures, longest / 1.5)
  return span * (1 + random() / 2)
}

/** After how many ms a mail is tried again after a failure; undefined when that was the last try. */
export function planRetry(
  { attempts, waitedMs }: Pick<Mail, 'attempts' | 'waitedMs'>,
  schedule: RetrySchedule,
  random: () => number,
): number | undefined {
  const rest = schedule.lifetime - waitedMs
  if (rest <= 0) return undefined
  return Math.round(Math.min(backOff(attempts, schedule, random), rest))
}
