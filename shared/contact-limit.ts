/** Default for the maximum number of messages from one IPv4 address, or IPv6 /56, within CONTACT_WINDOW_MINUTES. */
export const CONTACT_LIMIT = 2
export const CONTACT_WINDOW_MINUTES = 60
export const MAX_CONTACT_WINDOW_MINUTES = 24 * 60
export interface ContactLimit {
  count: number
  windowMinutes: number
}

export const MAX_CONTACT_BYTES = 32 * 1024
