import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { mapFields, TYPED_FIELDS, type TypedField } from '../../shared/contact-fields.ts'
import type { ContactRequest } from '../../shared/contact-schema.ts'
import type { Message } from './message.ts'

export interface ReferenceRow {
  reference: string
}

export const getReferences = (rows: readonly ReferenceRow[]): string[] =>
  rows.map(({ reference }) => reference)

/**
 * The column of each field, and the first version of the hash that covers it: a new field gets a new version. The order
 * is that of the hash: never change it.
 */
const FIELD_COLUMNS = {
  firstName: ['first_name', 1],
  lastName: ['last_name', 1],
  email: ['email', 1],
  service: ['service', 1],
  message: ['message', 1],
} as const satisfies Record<TypedField, readonly [column: string, since: number]>

/** Version of new hashes; stored hashes keep theirs. */
const HASH_VERSION = Math.max(...Object.values(FIELD_COLUMNS).map(([, since]) => since))

/** Folds case and Unicode forms of an address. Loading shared/contact-schema.ts for it would delay each start of the inbox thread. */
export function toMailbox(email: string): string {
  const text = email.trim().normalize('NFC')
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  const spelling = text.slice(0, at + 1) + (domainToASCII(domain) || domain)
  return spelling.toLowerCase().normalize('NFC')
}

/** Removes NUL, which PostgreSQL refuses and SQLite's functions stop at; replaces lone surrogates, which UTF-8 lacks. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

export function toIso(time: number): string {
  return new Date(time).toISOString()
}

/** Requests with the same content have the same fingerprint, unless only one of them filled a trap. */
export function getFingerprint(request: ContactRequest): string {
  const values = TYPED_FIELDS.map((name) => request[name].trim())
  return hash('sha256', JSON.stringify([...values, request.trapped.length > 0]))
}

/** A version, and the SHA-256 in hex of its columns. Only `release` and an import change one, `trapped`, with a new hash. */
function hashContent(columns: Columns, version: number): string {
  const { reference, received_at, trapped, language } = columns
  const typed = Object.values(FIELD_COLUMNS)
    .filter(([, since]) => since <= version)
    .map(([column]) => columns[column])
  const content = [reference, received_at, trapped, ...typed, language]
  return `${version}:${hash('sha256', JSON.stringify(content))}`
}

/** True if the columns have the content of the stored hash, whatever its version. */
export function hasContent(columns: Columns, storedHash: string): boolean {
  const version = Number.parseInt(storedHash, 10)
  return version <= HASH_VERSION && hashContent(columns, version) === storedHash
}

type TypedColumns = { [Name in TypedField as (typeof FIELD_COLUMNS)[Name][0]]: Message[Name] }
type Columns = ReturnType<typeof toColumns>

/** A row of the table `messages`. Times are in epoch ms. */
export type MessageRow = Columns & { content_hash: string }

function toColumns(message: Omit<Message, 'receivedAt'>, receivedAt: number) {
  const typed = TYPED_FIELDS.map((name) => [FIELD_COLUMNS[name][0], toStorable(message[name])])
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

/** `receivedAt` is in epoch ms. */
export function toRow(...message: Parameters<typeof toColumns>): MessageRow {
  const columns = toColumns(...message)
  return { ...columns, content_hash: hashContent(columns, HASH_VERSION) }
}

export function toMessage(row: MessageRow): Message {
  return {
    reference: row.reference,
    receivedAt: toIso(row.received_at),
    status: row.status,
    trapped: row.trapped ? row.trapped.split(',') : [],
    ...(mapFields((name) => row[FIELD_COLUMNS[name][0]]) as Pick<Message, TypedField>),
    language: row.language,
  }
}
