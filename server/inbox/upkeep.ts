import type { RetentionPeriods } from '../../shared/page-state.ts'
import type { Attempt, Message, MessageStatus } from './inbox.ts'

export type { RetentionPeriods }

export interface PageQuery {
  limit: number
  /** The last reference of the page before. */
  after?: string
}

export interface HashPage {
  /** The references that were looked at, in their order. */
  checked: string[]
  /** Those whose content is not what was once kept. */
  broken: string[]
}

export interface ImportResult {
  imported: number
  /** Those that were there already. */
  present: number
  /** References that stand for another content here. */
  different: string[]
}

export interface Erased {
  references: string[]
  /** True when more may be left to erase. */
  more: boolean
}

export interface Purged {
  messages: number
  /** True when more may be left to erase, messages or the rows beside them. */
  more: boolean
}

export interface Stats {
  counts: Record<MessageStatus | 'unread', number>
  /** Rows beside the messages, by table. */
  rows: Record<'attempts' | 'receipts' | 'hits' | 'audit', number>
  /** ISO 8601, UTC. */
  oldest?: string
  newest?: string
  /** The store's size on its disk. */
  bytes: number
}

/** `busy`: others are reading in it; `unsupported`: the store overwrites its files in its own time. */
export type Scrubbing = 'scrubbed' | 'busy' | 'unsupported'

/** What the inbox command and retention do; but for `backup` each call is one bounded transaction. */
export interface Upkeep {
  /** Queues a quarantined message to be mailed. */
  release(reference: string, deadline: number): Promise<'released' | 'not-quarantined' | 'unknown'>
  /** Makes a mail due at once that was given up, or that waits for its next try. */
  retry(reference: string, deadline: number): Promise<'retried' | 'not-waiting' | 'unknown'>
  /** The same for at most `limit` of them; resolves to how many there were. */
  retrySome(limit: number, deadline: number): Promise<number>
  /** Marks a message as dealt with; it is not mailed any more. */
  archive(reference: string, deadline: number): Promise<'archived' | 'unknown'>
  /** The latest try to mail a message, if there was one. */
  findLastAttempt(reference: string, deadline: number): Promise<Attempt | undefined>
  /** Notes that someone looked at a message. */
  markRead(reference: string, deadline: number): Promise<void>
  /** Erases a message, and notes it in the audit table. */
  eraseReference(reference: string, deadline: number): Promise<boolean>
  /** The same for what a mailbox has sent, in whatever spelling, at most `limit`. */
  eraseEmail(email: string, limit: number, deadline: number): Promise<Erased>
  /** Erases what is past its time, at most `limit` messages and as many rows of each other kind. */
  purge(periods: RetentionPeriods, limit: number, deadline: number): Promise<Purged>
  /**
   * Empties the write-ahead log of what was erased. `rewrite` also writes the whole file anew: pages that were
   * split hold old copies that secure deletion does not reach. It takes seconds for each GB, and locks meanwhile.
   */
  scrub(rewrite: boolean, deadline: number): Promise<Scrubbing>
  /** Keeps messages with their references; only those that are `new` will be mailed. */
  importMessages(messages: Message[], deadline: number): Promise<ImportResult>
  /** What is wrong with the store as a whole: damage, and messages that the outbox contradicts. */
  findFaults(deadline: number): Promise<string[]>
  /** Compares a page of messages with the hashes of their content. */
  checkHashes(query: PageQuery, deadline: number): Promise<HashPage>
  stats(deadline: number): Promise<Stats>
  /** Copies the store to a new file while it is in use. Rejects where the store has tools of its own. */
  backup(path: string, deadline: number): Promise<void>
}
