/** The key of the visitor's choice in the cookie banner, in local storage and as a cookie. */
export const CONSENT_KEY = 'cookie-consent'
export const CONSENT_CHOICES = ['accepted', 'necessary-only'] as const
export type Consent = (typeof CONSENT_CHOICES)[number]
