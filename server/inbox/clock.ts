export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS

/** A stored time may be this much after `now`: another transaction may read its clock later but commit earlier. */
export const CLOCK_TOLERANCE_MS = 60_000

/** The longest delay of a retry. A due time further ahead comes from a wrong clock. */
export const MAX_RETRY_DELAY_MS = 12 * HOUR_MS

const TIME_ZONE = 'America/Toronto'

/** The daily letter is due at this hour, in Toronto. */
export const DIGEST_HOUR = 8

export function toLocal(time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(TIME_ZONE)
}

/** Formats a time in the firm's time zone, such as 2026-05-04 08:00. */
export function formatMoment(time: string | number): string {
  return toLocal(new Date(time).getTime())
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ')
}
