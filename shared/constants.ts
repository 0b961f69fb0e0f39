export const MIN_FILL_MS = 3000

/** The lengths are in Unicode code points. */
export const MESSAGE_MIN_LENGTH = 10
export const MESSAGE_MAX_LENGTH = 2000
export const NAME_MAX_LENGTH = 100
export const EMAIL_MAX_LENGTH = 254

/** Default for the maximum number of messages from one IP address within CONTACT_WINDOW_MINUTES. */
export const CONTACT_LIMIT = 2
export const CONTACT_WINDOW_MINUTES = 60
export const MAX_CONTACT_WINDOW_MINUTES = 24 * 60

export const MAX_CONTACT_BYTES = 32 * 1024

/** After this many refusals in the window, the contact requests of an IP address get 429 without being checked. */
export const REFUSAL_LIMIT = { count: 30, windowMinutes: 15 }

/** Defaults: messages are erased after RETENTION_DAYS, quarantined messages after QUARANTINE_DAYS. */
export const RETENTION_DAYS = 730
export const QUARANTINE_DAYS = 30
/** A repeat within this time gets the first request's reference. Afterwards the sender's IP address is erased. */
export const REPEAT_HOURS = 24

/** Must equal the durations in client/styles/tokens.css; test/tools/constants.test.ts compares them. */
export const SPLASH_MS = 2500
export const SPLASH_EXIT_MS = 500

export const LANGUAGE_KEY = 'rg-language'
export const CONSENT_KEY = 'cookie-consent'
/** Key in sessionStorage. Its value is the URL of the page that was reloaded last. */
export const RELOAD_KEY = 'reloaded'
export const CONSENT_CHOICES = ['accepted', 'necessary-only'] as const

export const TOAST_LIMIT = 1
export const TOAST_MS = 5000
export const TOAST_REMOVE_DELAY_MS = 1_000_000
export const TOAST_SWIPE_DIRECTION = 'right'
export const TOAST_SWIPE_THRESHOLD_PX = 50
export const TOAST_HOTKEY = 'F8'

export const TOOLTIP_DELAY_MS = 700
export const TOOLTIP_SKIP_DELAY_MS = 300

export const SECTORS = [
  'public-safety',
  'francophone-services',
  'health-safety',
  'animal-first-aid',
] as const
export type Sector = (typeof SECTORS)[number]

/** Values of the contact form's field `service`, which may also be empty. */
export const SERVICE_IDS = ['public-safety', 'francophone', 'health-safety', 'animal-aid'] as const

/** Hidden fields that people leave empty and bots fill. */
export const TRAP_FIELDS = ['website', 'url', 'phone_hidden'] as const
