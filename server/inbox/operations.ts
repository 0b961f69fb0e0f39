import type {
  Attempt,
  HitLimit,
  ListQuery,
  Mail,
  MailOutcome,
  Measures,
  Message,
  NewMessage,
  Submission,
  Waiting,
} from './inbox.ts'
import type {
  Erased,
  HashPage,
  ImportResult,
  PageQuery,
  Purged,
  RetentionPeriods,
  Scrubbing,
  Stats,
} from './upkeep.ts'

export interface MailLease {
  limit: number
  leaseMs: number
  mailPerHour: number
}

export interface WaitingSettings {
  quarantineDays: number
  mailPerHour: number
}

/** Operations of every store, one transaction each; `now` is in epoch ms. */
export interface Operations {
  /** Does as little as shows that the store can be written. */
  probe(): void
  submit(message: NewMessage, limit: HitLimit, now: number): Submission
  hasReference(reference: string): boolean
  find(reference: string): Message | undefined
  list(query: ListQuery): Message[]
  audit(action: string, subject: string, now: number): void

  claim(lease: MailLease, now: number): Mail[]
  settle(reference: string, token: string, outcome: MailOutcome, now: number): boolean
  findLastAttempt(reference: string): Attempt | undefined
  nextDueIn(mailPerHour: number, now: number): number | undefined
  claimDigest(leaseMs: number, now: number): string | undefined
  confirmDigest(date: string, now: number): void
  waiting(settings: WaitingSettings, now: number): Waiting

  release(reference: string, now: number): 'released' | 'not-quarantined' | 'unknown'
  retry(reference: string, now: number): 'retried' | 'not-waiting' | 'unknown'
  retrySome(limit: number, now: number): number
  archive(reference: string, now: number): 'archived' | 'unknown'
  markRead(reference: string, now: number): void
  eraseReference(reference: string, now: number): boolean
  eraseEmail(email: string, limit: number, now: number): Erased
  purge(periods: RetentionPeriods, limit: number, now: number): Purged
  scrub(rewrite: boolean): Scrubbing
  importMessages(messages: Message[], now: number): ImportResult
  findFaults(): string[]
  checkHashes(query: PageQuery): HashPage
  stats(): Stats
  measure(mailPerHour: number, now: number): Measures
  backup(path: string): void
}

export type OperationName = keyof Operations

/** The arguments of an operation, or what makes them of the time by the store's own clock. */
export type OperationArgs<Name extends OperationName> =
  | Parameters<Operations[Name]>
  | ((now: number) => Parameters<Operations[Name]>)

/** A store, wherever its work is done. */
export interface Store {
  run<Name extends OperationName>(
    operation: Name,
    args: OperationArgs<Name>,
    deadline: number,
  ): Promise<ReturnType<Operations[Name]>>
  /** Finishes what was asked for, then closes. */
  close(): Promise<void>
}

/** These need no write lock, so they work while someone else holds it. */
export const READS: ReadonlySet<OperationName> = new Set([
  'hasReference',
  'find',
  'list',
  'findLastAttempt',
  'nextDueIn',
  'waiting',
  'findFaults',
  'checkHashes',
  'stats',
  'measure',
])

/** These cannot run within a transaction. */
export const BARE: ReadonlySet<OperationName> = new Set(['scrub', 'backup'])
