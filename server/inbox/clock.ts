export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS

/** The daily letter leaves at this hour, in Toronto. */
export const LETTER_HOUR = 8

export function toLocal(time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO('America/Toronto')
}

/** Date in the firm's time zone, YYYY-MM-DD. */
export const toLocalDate = (time: number): string => toLocal(time).toPlainDate().toString()

/** A time in the firm's time zone, such as 2026-05-04 08:00. */
export function formatMoment(time: string | number): string {
  const local = toLocal(new Date(time).getTime()).toPlainDateTime()
  return local.toString({ smallestUnit: 'minute' }).replace('T', ' ')
}

/** The next time of the daily letter after `time`, in epoch ms. */
export function getNextLetterTime(time: number): number {
  const today = toLocal(time).startOfDay().with({ hour: LETTER_HOUR })
  return (today.epochMilliseconds > time ? today : today.add({ days: 1 })).epochMilliseconds
}
