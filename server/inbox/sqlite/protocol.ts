import { InboxUnavailable, OperationRefused, type UnavailableReason } from '../inbox.ts'
import type { OperationArgs, OperationName } from '../operations.ts'

export interface Job<Name extends OperationName = OperationName> {
  name: Name
  args: OperationArgs<Name>
  /** Current time for the operation, in epoch ms. */
  now: number
  deadline: number
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

/** Reason why the store is unavailable; undefined for an error that does not make it unavailable. */
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
