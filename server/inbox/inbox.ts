import type { ContactRequest } from '../../shared/contact.ts'
import type { Language } from '../../shared/language.ts'
import type { MailQueue } from './mail-queue.ts'
import type { Upkeep } from './upkeep.ts'

export type { Attempt, Mail, MailOutcome, MailQueue, Waiting } from './mail-queue.ts'

/** Why the store could not do what was asked; fixed words, so never a visitor's text. */
export type UnavailableReason =
  | 'deadline' // the time given was up
  | 'locked' // someone else holds the store until the deadline
  | 'full'
  | 'read-only'
  | 'disk-fault'
  | 'cannot-open'
  | 'damaged' // not a database, or a broken one
  | 'missing' // there is none yet, and none was to be made
  | 'weak-durability' // the store cannot promise to keep what it acknowledges
  | 'newer-build' // written by a newer build than this one
  | 'network-file-system' // SQLite's locks and memory maps do not hold there
  | 'wrong-encoding' // a database that cannot hold every letter
  | 'unconfirmed' // the connection broke during the COMMIT
  | 'crashed'
  | 'closed'

/** Reasons that no waiting mends: a server that finds one of them must not start. */
export const MISCONFIGURED: readonly UnavailableReason[] = [
  'weak-durability',
  'newer-build',
  'network-file-system',
  'wrong-encoding',
]

export class InboxUnavailable extends Error {
  override name = 'InboxUnavailable'
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, options?: ErrorOptions) {
    super(`The inbox is unavailable: ${reason}`, options)
    this.reason = reason
  }
}

export const MESSAGE_STATUSES = [
  'new', // waits to be mailed, or nothing mails
  'mailed',
  'dead', // mailing was given up; stays, and can be retried
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

export interface Receipt {
  reference: string
  /** ISO 8601, UTC; of the first message when this one repeats it. */
  receivedAt: string
  repeated: boolean
}

export interface Message extends ContactRequest {
  reference: string
  /** ISO 8601, UTC. */
  receivedAt: string
  status: MessageStatus
  language: Language
  /** ISO 8601, UTC: when someone first looked at it. */
  readAt?: string
}

export interface HitLimit {
  limit: number
  windowMs: number
}

/** Result of `submit`. */
export interface Submission {
  /** Absent when the limit was used up: nothing is kept then. */
  receipt?: Receipt
  /** The hits in the window, with this message if it counts; limit + 1 when it was refused. */
  count: number
  /** When the oldest hit leaves the window, in ms from now. */
  resetInMs: number
}

/** Number of waiting messages, and age of the oldest; no age when nothing waits. */
export type Measures = Record<
  'queued' | 'held' | 'quarantined' | 'dead',
  { count: number; waitedMs?: number }
>

export interface ListQuery {
  /** At most so many messages. */
  limit: number
  order: 'newest-first' | 'oldest-first'
  status?: MessageStatus
  /** The last message of the page before. */
  after?: Pick<Message, 'receivedAt' | 'reference'>
}

export type InboxState = 'opening' | 'open' | 'unavailable' | 'closed'

/**
 * The durable store of contact messages. Each call is one whole transaction.
 * A `deadline` is in epoch ms by Date.now(). A call that fails rejects with InboxUnavailable, and
 * then nothing of it is kept; `crashed`, `disk-fault` and `unconfirmed` alone leave that open.
 */
export interface Inbox extends MailQueue, Upkeep {
  /** Resolves when the store can be written; without it the first call opens the store. */
  open(deadline: number): Promise<void>
  /**
   * Counts a hit of the message's address in a sliding window and keeps the message durably, or
   * finds the one that it repeats (24 h): both or, when the limit is used up, neither. The same
   * content with the same Idempotency-Key finds the first one and counts nothing.
   */
  submit(message: NewMessage, limit: HitLimit, deadline: number): Promise<Submission>
  hasReference(reference: string, deadline: number): Promise<boolean>
  find(reference: string, deadline: number): Promise<Message | undefined>
  list(query: ListQuery, deadline: number): Promise<Message[]>
  /** Notes in the audit table that data was read or changed; never holds a visitor's text. */
  audit(action: string, subject: string, deadline: number): Promise<void>
  /** Cheap however many messages there are: it looks only at those that wait. */
  measure(deadline: number): Promise<Measures>
  state(): InboxState
  /** Finishes the calls under way; later calls reject with `closed`. */
  close(): Promise<void>
}
