export const MIN_FILL_MS = 3000

/** The lengths are in Unicode code points. */
export const MESSAGE_MIN_LENGTH = 10
export const MESSAGE_MAX_LENGTH = 2000
export const NAME_MAX_LENGTH = 100
export const EMAIL_MAX_LENGTH = 254

/** Default for the maximum number of messages from one IPv4 address, or IPv6 /56, within CONTACT_WINDOW_MINUTES. */
export const CONTACT_LIMIT = 2
export const CONTACT_WINDOW_MINUTES = 60
export const MAX_CONTACT_WINDOW_MINUTES = 24 * 60
export interface ContactLimit {
  count: number
  windowMinutes: number
}

export const MAX_CONTACT_BYTES = 32 * 1024

/** After this many refusals in the window, the contact requests of an IP address get 429 without being checked. */
export const REFUSAL_LIMIT = { count: 30, windowMinutes: 15 }

/** Defaults: messages are erased after RETENTION_DAYS; quarantined ones, also if archived, after QUARANTINE_DAYS. */
export const RETENTION_DAYS = 730
export const QUARANTINE_DAYS = 30
export interface RetentionPeriods {
  retentionDays: number
  quarantineDays: number
}

/** A repeat within this time gets the first request's reference. Afterwards the sender's IP address is erased. */
export const REPEAT_HOURS = 24

export const LANGUAGE_KEY = 'rg-language'

export const SECTORS = [
  'public-safety',
  'francophone-services',
  'health-safety',
  'animal-first-aid',
] as const
export type Sector = (typeof SECTORS)[number]

/** Values of the contact form's field `service`, which may also be empty. */
export const SERVICE_IDS = ['public-safety', 'francophone', 'health-safety', 'animal-aid'] as const
export type ServiceId = (typeof SERVICE_IDS)[number]

/** The service that the request button of a sector's page proposes. */
export const SERVICE_OF_SECTOR = {
  'public-safety': 'public-safety',
  'francophone-services': 'francophone',
  'health-safety': 'health-safety',
  'animal-first-aid': 'animal-aid',
} as const satisfies Record<Sector, ServiceId>

/** Hidden fields that people leave empty and bots fill. */
export const TRAP_FIELDS = ['website', 'url', 'phone_hidden'] as const
