export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS

/** A time this far ahead is normal: transactions commit in another order than they read the clock. */
export const CLOCK_TOLERANCE_MS = 60_000
