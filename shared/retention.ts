/** Defaults: messages are erased after RETENTION_DAYS; quarantined ones, also if archived, after QUARANTINE_DAYS. */
export const RETENTION_DAYS = 730
export const QUARANTINE_DAYS = 30
export interface RetentionPeriods {
  retentionDays: number
  quarantineDays: number
}

/** A repeat within this time gets the first request's reference. Afterwards the sender's IP address is erased. */
export const REPEAT_HOURS = 24
