import { InboxUnavailable, OperationRefused, type UnavailableReason } from '../inbox.ts'
import type { OperationArgs, OperationName } from '../operations.ts'

export interface Job<Name extends OperationName = OperationName> {
  name: Name
  args: OperationArgs<Name>
  /** Epoch ms: the clock of the operation. */
  now: number
  deadline: number
}

export interface Batch {
  jobs: Job[]
  flags: Int32Array
}

export type Outcome =
  | { value: unknown }
  | { reason: UnavailableReason }
  | { refusal: Pick<OperationRefused, 'code' | 'subject'> }
  | { error: string }

// Primary result codes of SQLite: https://www.sqlite.org/rescode.html
const SQLITE_REASONS: Record<number, UnavailableReason> = {
  3: 'cannot-open', // PERM
  5: 'locked', // BUSY
  6: 'locked', // LOCKED
  7: 'disk-fault', // NOMEM
  8: 'read-only', // READONLY
  10: 'disk-fault', // IOERR
  11: 'damaged', // CORRUPT
  13: 'full', // FULL
  14: 'cannot-open', // CANTOPEN
  15: 'locked', // PROTOCOL
  22: 'disk-fault', // NOLFS
  23: 'cannot-open', // AUTH
  26: 'damaged', // NOTADB
}

const FILE_REASONS: Record<string, UnavailableReason> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'disk-fault',
}

/** The reason behind an error; undefined when the store did not cause it. */
export function findReason(error: unknown): UnavailableReason | undefined {
  if (error instanceof InboxUnavailable) return error.reason
  if (!Error.isError(error)) return undefined
  const { code, errcode, syscall } = error as NodeJS.ErrnoException & { errcode?: number }
  if (errcode !== undefined) return SQLITE_REASONS[errcode & 0xff]
  return syscall && code ? (FILE_REASONS[code] ?? 'cannot-open') : undefined
}

export function toJobResult(error: unknown): Outcome {
  const reason = findReason(error)
  if (reason) return { reason }
  if (error instanceof OperationRefused) {
    return { refusal: { code: error.code, subject: error.subject } }
  }
  return { error: Error.isError(error) ? error.message : String(error) }
}

export function toError(outcome: Exclude<Outcome, { value: unknown }>): Error {
  if ('reason' in outcome) return new InboxUnavailable(outcome.reason)
  if ('error' in outcome) return new Error(outcome.error)
  return new OperationRefused(outcome.refusal.code, outcome.refusal.subject)
}

const WAITING = 0
const CANCELLED = 1
const COMMITTING = 2

/** One flag for each job of a batch, shared by both threads; the first thread to set it decides. */
export function createFlags(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT))
}

/** Cancels a job; false when the worker is already committing it. */
export function cancel(flags: Int32Array, index: number): boolean {
  return Atomics.compareExchange(flags, index, WAITING, CANCELLED) !== COMMITTING
}

/** Reserves a job for its COMMIT; false when it was cancelled or its deadline has passed. */
export function reserve(flags: Int32Array, index: number, deadline: number): boolean {
  if (Atomics.load(flags, index) === COMMITTING) return true
  if (isCancelled(flags, index, deadline)) return false
  return Atomics.compareExchange(flags, index, WAITING, COMMITTING) === WAITING
}

export function isCancelled(flags: Int32Array, index: number, deadline: number): boolean {
  if (Date.now() >= deadline) cancel(flags, index)
  return Atomics.load(flags, index) === CANCELLED
}
