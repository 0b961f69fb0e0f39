import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { mapFields, TYPED_FIELDS, type TypedField } from '../../shared/contact-fields.ts'
import { type ContactRequest, INVISIBLE } from '../../shared/contact-schema.ts'
import type { Language } from '../../shared/language.ts'

export const MESSAGE_STATUSES = [
  'new', // waits to be mailed; stays `new` while mail is off
  'mailed',
  'dead', // given up after five days; tried again once a day, or when an operator retries it
  'quarantined', // a trap was filled
  'archived', // handled by the firm
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export interface NewMessage extends ContactRequest {
  language: Language
  /** The sender's, as getNetwork returns it. */
  network: string
}

export interface Message extends Omit<ContactRequest, 'service'> {
  /** A service of the form, one that an earlier form had, or empty. */
  service: string
  reference: string
  /** ISO 8601, UTC. */
  receivedAt: string
  status: MessageStatus
  language: Language
}

// 32 characters of five bits each, without 0, O, 1 and I, which look alike.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const REFERENCE_PATTERN = new RegExp(`^RG(-[${ALPHABET}]{5}){2}$`)

/** 50 random bits, written so that people can read them out on the phone: RG-7K3M9-QXT4P. */
export function createReference(): string {
  const text = Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `RG-${text.slice(0, 5)}-${text.slice(5)}`
}

/** Folds case and Unicode forms of an address. */
export function toMailbox(email: string): string {
  const text = email.replace(INVISIBLE, '').trim().normalize('NFC')
  const at = text.lastIndexOf('@') + 1
  const domain = text.slice(at)
  return (text.slice(0, at) + (domainToASCII(domain) || domain)).toLowerCase().normalize('NFC')
}

const COLUMNS = {
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  service: 'service',
  message: 'message',
} as const satisfies Record<TypedField, string>

type TypedColumns = Record<(typeof COLUMNS)[TypedField], string>

/** A row of the table `messages`. */
export type MessageRow = ReturnType<typeof toRow>

/** `receivedAt` is in epoch ms. */
export function toRow(message: Omit<Message, 'receivedAt'>, receivedAt: number) {
  const typed = TYPED_FIELDS.map((name) => [COLUMNS[name], message[name]])
  return {
    reference: message.reference,
    received_at: receivedAt,
    status: message.status,
    trapped: message.trapped.join(','),
    ...(Object.fromEntries(typed) as TypedColumns),
    language: message.language,
    mailbox: toMailbox(message.email),
  }
}

export function toMessage(row: MessageRow): Message {
  return {
    reference: row.reference,
    receivedAt: new Date(row.received_at).toISOString(),
    status: row.status,
    trapped: row.trapped ? row.trapped.split(',') : [],
    ...mapFields((name) => row[COLUMNS[name]]),
    language: row.language,
  }
}
