import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { ContactRequest } from '../../shared/contact.ts'
import type { Message } from './message.ts'

export interface ReferenceRow {
  reference: string
}

export const getReferences = (rows: readonly ReferenceRow[]): string[] =>
  rows.map(({ reference }) => reference)

/**
 * The columns that each version of the hash covers, in order. Only `release` changes one, `trapped`, with a new hash.
 * To cover a new column, append a version: stored hashes keep theirs.
 */
const HASHED_COLUMNS: (keyof Columns)[][] = [
  [
    'reference',
    'received_at',
    'trapped',
    'first_name',
    'last_name',
    'email',
    'service',
    'message',
    'language',
  ],
]

/** Folds case and Unicode forms of an address. Loading shared/contact.ts for it would delay each start of the inbox thread. */
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

function hash(content: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

/** Requests with the same content have the same fingerprint, unless only one of them filled a trap. */
export function getFingerprint(request: ContactRequest): string {
  const { firstName, lastName, email, service, message, trapped } = request
  return hash([firstName, lastName, email, service, message.trim(), trapped.length > 0])
}

/** A version, and the SHA-256 in hex of its columns. */
function hashContent(columns: Columns, version: number): string {
  const names = HASHED_COLUMNS[version - 1] ?? []
  return `${version}:${hash(names.map((name) => columns[name]))}`
}

/** True if the columns have the content of the stored hash, whatever its version. */
export function hasContent(columns: Columns, storedHash: string): boolean {
  return hashContent(columns, Number.parseInt(storedHash, 10)) === storedHash
}

type Columns = ReturnType<typeof toColumns>

/** A row of the table `messages`. Times are in epoch ms. */
export type MessageRow = Columns & { content_hash: string }

function toColumns(message: Omit<Message, 'receivedAt'>, receivedAt: number) {
  return {
    reference: message.reference,
    received_at: receivedAt,
    status: message.status,
    trapped: message.trapped.join(','),
    first_name: toStorable(message.firstName),
    last_name: toStorable(message.lastName),
    email: toStorable(message.email),
    service: message.service,
    message: toStorable(message.message),
    language: message.language,
    mailbox: toMailbox(toStorable(message.email)),
  }
}

/** `receivedAt` is in epoch ms. */
export function toRow(...message: Parameters<typeof toColumns>): MessageRow {
  const columns = toColumns(...message)
  return { ...columns, content_hash: hashContent(columns, HASHED_COLUMNS.length) }
}

export function toMessage(row: MessageRow): Message {
  return {
    reference: row.reference,
    receivedAt: toIso(row.received_at),
    status: row.status,
    trapped: row.trapped ? row.trapped.split(',') : [],
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    service: row.service,
    message: row.message,
    language: row.language,
  }
}
