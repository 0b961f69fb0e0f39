export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS

const TIME_ZONE = 'America/Toronto'

/** The daily letter leaves at this hour, in Toronto. */
export const LETTER_HOUR = 8

export function toLocal(time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(TIME_ZONE)
}

/** Date in Toronto, YYYY-MM-DD. */
export const toLocalDate = (time: number): string => toLocal(time).toPlainDate().toString()

/** Formats a time in the firm's time zone, such as 2026-05-04 08:00. */
export function formatMoment(time: string | number): string {
  return toLocal(new Date(time).getTime())
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ')
}

/** The next time of the daily letter after `time`, in epoch ms. */
export function getNextLetterTime(time: number): number {
  const local = toLocal(time)
  const today = local.with({
    hour: LETTER_HOUR,
    minute: 0,
    second: 0,
    millisecond: 0,
    microsecond: 0,
    nanosecond: 0,
  })
  return (today.epochMilliseconds > time ? today : today.add({ days: 1 })).epochMilliseconds
}
