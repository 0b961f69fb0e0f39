import { InboxUnavailable, type UnavailableReason } from '../inbox.ts'

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

export function findReason(error: unknown): UnavailableReason | undefined {
  if (!Error.isError(error)) return undefined
  const { code, errcode, syscall } = error as NodeJS.ErrnoException & { errcode?: number }
  if (errcode !== undefined) return SQLITE_REASONS[errcode & 0xff]
  return syscall && code ? (FILE_REASONS[code] ?? 'cannot-open') : undefined
}

/** Returns an error that does not make the store unavailable unchanged. */
export function toInboxError(error: unknown): unknown {
  const reason = findReason(error)
  return reason ? new InboxUnavailable(reason) : error
}
