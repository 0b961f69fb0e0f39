import { DatabaseError } from 'pg'
import { InboxUnavailable, type UnavailableReason } from '../inbox.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const REASONS: Record<string, UnavailableReason> = {
  '23503': 'locked', // the referenced row was erased meanwhile
  '25006': 'read-only',
  '25P03': 'deadline', // idle in a transaction for too long
  '40001': 'locked',
  '40P01': 'locked', // deadlock
  '42P01': 'missing', // the tables were dropped
  '53100': 'full',
  '55P03': 'locked',
  '57014': 'deadline', // statement_timeout
  '58030': 'disk-fault',
  XX001: 'damaged',
  XX002: 'damaged',
}

// Connection, authorization, missing database, rights, an unknown or refused setting of DATABASE_URL, out of
// connections, shutting down.
const OUT_OF_REACH = /^(08|28|3D|42501|42704|53300|55P02|57P)/

/** Other SQL errors keep their code alone: their text may hold a visitor's words. */
export function toInboxError(error: unknown): Error {
  if (error instanceof InboxUnavailable) return error
  if (!(error instanceof DatabaseError)) {
    return new InboxUnavailable('cannot-open', { cause: error })
  }
  const code = error.code ?? ''
  if (OUT_OF_REACH.test(code)) return new InboxUnavailable('cannot-open', { cause: error })
  const reason = REASONS[code]
  return reason ? new InboxUnavailable(reason) : new Error(`PostgreSQL refused with ${code}`)
}
