/** The constants of the product. Durations in milliseconds, lengths in Unicode code points. */
export const MINIMUM_FILL_TIME = 3000

export const MESSAGE_MIN_LENGTH = 10
export const MESSAGE_MAX_LENGTH = 2000
export const NAME_MAX_LENGTH = 100
export const EMAIL_MAX_LENGTH = 254

export const CONTACT_LIMIT = 2
export const CONTACT_WINDOW_MINUTES = 60
export const MAX_CONTACT_WINDOW_MINUTES = 24 * 60

/** Of the body of a contact request, in bytes. */
export const CONTACT_MAXIMUM_SIZE = 32 * 1024

/** How often an address may be refused before it is refused at once. */
export const REFUSAL_LIMIT = { count: 30, windowMinutes: 15 }

/** After how many days messages are erased: ordinary ones, and those that filled a trap. */
export const RETENTION_DAYS = 730
export const QUARANTINE_DAYS = 30
/** How long a repeated request is answered with the first reference, and the address that it came from known. */
export const REPEAT_HOURS = 24

export const SPLASH_DURATION = 2500
export const SPLASH_EXIT_DURATION = 500

export const LANGUAGE_KEY = 'rg-language'
export const CONSENT_KEY = 'cookie-consent'
/** A sessionStorage key; its value is the address that was last reloaded. */
export const RELOAD_KEY = 'reloaded'
export const CONSENT_CHOICES = ['accepted', 'necessary-only'] as const

export const TOAST_LIMIT = 1
export const TOAST_DURATION = 5000
export const TOAST_REMOVE_DELAY = 1_000_000
export const TOAST_SWIPE_DIRECTION = 'right'
export const TOAST_SWIPE_THRESHOLD = 50
export const TOAST_HOTKEY = 'F8'

export const TOOLTIP_DELAY = 700
export const TOOLTIP_SKIP_DELAY = 300

export const SECTORS = [
  'public-safety',
  'francophone-services',
  'health-safety',
  'animal-first-aid',
] as const
export type Sector = (typeof SECTORS)[number]

/** What the contact form's service field may hold, besides an empty string. */
export const SERVICE_IDS = ['public-safety', 'francophone', 'health-safety', 'animal-aid'] as const
export type ServiceId = (typeof SERVICE_IDS)[number]

/** The contact form is told apart by these fields, which people never see and always send empty. */
export const TRAP_FIELDS = ['website', 'url', 'phone_hidden'] as const
