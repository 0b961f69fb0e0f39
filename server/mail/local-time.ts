/** Time zone of the firm. */
export const TIME_ZONE = 'America/Toronto'

const HOUR_OF_DIGEST = 8

export function toLocal(time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(TIME_ZONE)
}

/** The date (YYYY-MM-DD) of the digest that is due at a time; undefined before eight in the morning. */
export function findDigestDate(time: number): string | undefined {
  const local = toLocal(time)
  return local.hour < HOUR_OF_DIGEST ? undefined : local.toPlainDate().toString()
}
