/** Time zone of the firm. */
export const TIME_ZONE = 'America/Toronto'

const DIGEST_HOUR = 8

export function toLocal(time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(TIME_ZONE)
}

/** Date (YYYY-MM-DD) of the digest that is due; undefined before eight in the morning. */
export function findDigestDate(time: number): string | undefined {
  const local = toLocal(time)
  return local.hour < DIGEST_HOUR ? undefined : local.toPlainDate().toString()
}
