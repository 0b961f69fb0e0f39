import { domainToASCII } from 'node:url'
import type { TypedField } from '../../shared/contact-fields.ts'
import { mapFields, TYPED_FIELDS } from '../../shared/contact-fields.ts'
import type { Message } from './message.ts'

/** The column of each field. */
const FIELD_COLUMNS = {
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  service: 'service',
  message: 'message',
} as const satisfies Record<TypedField, string>

/** Folds case and Unicode forms of an address. */
export function toMailbox(email: string): string {
  const text = email.trim().normalize('NFC')
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  const spelling = text.slice(0, at + 1) + (domainToASCII(domain) || domain)
  return spelling.toLowerCase().normalize('NFC')
}

/** Removes NUL, which PostgreSQL refuses; replaces lone surrogates, which UTF-8 lacks. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

export function toIso(time: number): string {
  return new Date(time).toISOString()
}

type TypedColumns = { [Name in TypedField as (typeof FIELD_COLUMNS)[Name]]: Message[Name] }

/** A row of the table `messages`. */
export type MessageRow = ReturnType<typeof toRow>

/** `receivedAt` is in epoch ms. */
export function toRow(message: Omit<Message, 'receivedAt'>, receivedAt: number) {
  const typed = TYPED_FIELDS.map((name) => [FIELD_COLUMNS[name], toStorable(message[name])])
  return {
    reference: message.reference,
    received_at: receivedAt,
    status: message.status,
    trapped: message.trapped.join(','),
    ...(Object.fromEntries(typed) as TypedColumns),
    language: message.language,
    mailbox: toMailbox(toStorable(message.email)),
  }
}

export function toMessage(row: MessageRow): Message {
  return {
    reference: row.reference,
    receivedAt: toIso(row.received_at),
    status: row.status,
    trapped: row.trapped ? row.trapped.split(',') : [],
    ...(mapFields((name) => row[FIELD_COLUMNS[name]]) as Pick<Message, TypedField>),
    language: row.language,
  }
}
