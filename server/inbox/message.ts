import { randomBytes } from 'node:crypto'
import type { ContactRequest } from '../../shared/contact.ts'
import type { Language } from '../../shared/language.ts'

export const MESSAGE_STATUSES = [
  'new', // waits to be mailed, or mail is off
  'mailed',
  'dead', // the last retry failed; stored, and can be retried by hand
  'quarantined', // a trap was filled
  'archived', // dealt with
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export interface NewMessage extends ContactRequest {
  language: Language
  /** The sender's key in the message limit; not always an IP address. */
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

// 32 characters of five bits each; 0, O, 1 and I look alike and are left out.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const REFERENCE = new RegExp(`^RG(-[${ALPHABET}]{5}){2}$`)

/** 50 random bits in a form to read out on the phone, such as RG-7K3M9-QXT4P. */
export function createReference(): string {
  const text = Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `RG-${text.slice(0, 5)}-${text.slice(5)}`
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text)
}
