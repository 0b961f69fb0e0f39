import type { ContactRequest } from '../../shared/contact.ts'
import type { Language } from '../../shared/language.ts'

export const MESSAGE_STATUSES = [
  'new', // waits to be mailed, or nothing mails
  'mailed',
  'dead', // mailing was given up; kept, and can be retried
  'quarantined', // a trap was filled
  'archived', // dealt with
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export interface NewMessage extends ContactRequest {
  language: Language
  /** The limiter's key for the sender, not necessarily an IP address. */
  address: string
  idempotencyKey?: string
}

export interface Message extends ContactRequest {
  reference: string
  /** ISO 8601, UTC. */
  receivedAt: string
  status: MessageStatus
  language: Language
  /** ISO 8601, UTC: when a person first opened it. */
  readAt?: string
}

export interface Receipt {
  reference: string
  /** ISO 8601, UTC; of the first message when this one repeats it. */
  receivedAt: string
  repeated: boolean
}
