import { createHash } from 'node:crypto'
import { MAX_CONTACT_WINDOW_MINUTES, REPEAT_HOURS } from '../../shared/constants.ts'
import type { Attempt, MailOutcome, Message, MessageStatus, NewMessage, Receipt } from './inbox.ts'
import { toMailbox } from './mailbox.ts'
import type { HashPage } from './upkeep.ts'

export const DAY = 24 * 60 * 60 * 1000

export const HOUR = 60 * 60 * 1000

/**
 * Concurrent calls may commit in another order than they read the clock, so a time slightly ahead is normal.
 */
export const CLOCK_TOLERANCE_MS = 60_000

/** How long a hit can count, in ms: one that ends later was counted by a clock that was ahead. */
export const MAX_HIT_LIFETIME_MS = MAX_CONTACT_WINDOW_MINUTES * 60_000 + CLOCK_TOLERANCE_MS

/** How long the lists of what waits may be. */
export const LONGEST_WAITING_LIST = 50

/** How long a repetition, or a key, is known again. */
export const RECEIPT_LIFETIME = REPEAT_HOURS * 60 * 60 * 1000

/** A message as the stores keep it: the columns of their `messages` tables, in this order. */
export interface MessageRecord {
  reference: string
  /** Epoch ms. */
  received_at: number
  status: MessageStatus
  trapped: string
  first_name: string
  last_name: string
  email: string
  service: string
  message: string
  language: string
  /** SHA-256 in hex of all that never changes, for `verify`. */
  content_hash: string
  read_at: number | null
  /** See toMailbox; null where an older build kept the message. */
  mailbox: string | null
}

// PostgreSQL refuses NUL and lone surrogates, and SQLite's own functions stop at a NUL.
function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

export function hashContent(record: Omit<MessageRecord, 'content_hash'>): string {
  const { reference, received_at, trapped, first_name, last_name } = record
  const { email, service, message, language } = record
  const names = [trapped, first_name, last_name, email]
  const content = [reference, received_at, ...names, service, message, language]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

export function toRecord(message: Message): MessageRecord {
  const { readAt } = message
  const record = {
    reference: message.reference,
    received_at: Date.parse(message.receivedAt),
    status: message.status,
    trapped: message.trapped.join(','),
    first_name: toStorable(message.firstName),
    last_name: toStorable(message.lastName),
    email: toStorable(message.email),
    service: message.service,
    message: toStorable(message.message),
    language: message.language,
    read_at: readAt === undefined ? null : Date.parse(readAt),
    mailbox: toMailbox(toStorable(message.email)),
  }
  return { ...record, content_hash: hashContent(record) }
}

/** A message that has just come. */
export function createRecord(message: NewMessage, reference: string, now: number): MessageRecord {
  return toRecord({
    ...message,
    reference,
    receivedAt: toIso(now),
    status: message.trapped.length > 0 ? 'quarantined' : 'new',
  })
}

export function toMessage(record: Omit<MessageRecord, 'content_hash'>): Message {
  const { trapped, read_at } = record
  return {
    reference: record.reference,
    receivedAt: toIso(record.received_at),
    status: record.status,
    trapped: trapped ? trapped.split(',') : [],
    firstName: record.first_name,
    lastName: record.last_name,
    email: record.email,
    service: record.service as Message['service'],
    message: record.message,
    language: record.language as Message['language'],
    ...(read_at !== null && { readAt: toIso(read_at) }),
  }
}

/** What is known of a message for those who repeat it. */
export type ReceiptRow = Pick<MessageRecord, 'reference' | 'received_at'>

/** An earlier message of the same content. */
export interface EarlierRow extends ReceiptRow {
  /** It came with the same Idempotency-Key; otherwise from the same address. */
  keyed: boolean | number
}

export function toReceipt({ reference, received_at }: ReceiptRow, repeated: boolean): Receipt {
  return { reference, receivedAt: toIso(received_at), repeated }
}

export function toIso(time: number): string {
  return new Date(time).toISOString()
}

/** What is noted of a try to mail: what the other server said, or what went wrong. */
export function getDetail(outcome: MailOutcome): string {
  return toStorable(outcome.kind === 'mailed' ? outcome.response : outcome.error)
}

export interface AttemptRow {
  tried_at: number
  outcome: Attempt['outcome']
  detail: string
}

export function toAttempt({ tried_at, outcome, detail }: AttemptRow): Attempt {
  return { triedAt: toIso(tried_at), outcome, detail }
}

/** Which of these records do not hold what was once kept. */
export function findBroken(records: MessageRecord[]): HashPage {
  const broken = records.filter((record) => hashContent(record) !== record.content_hash)
  const getReference = ({ reference }: MessageRecord) => reference
  return { checked: records.map(getReference), broken: broken.map(getReference) }
}
