import { DatabaseError } from 'pg'
import { InboxUnavailable, type UnavailableReason } from '../inbox.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const FAULTS: Record<string, UnavailableReason> = {
  '23503': 'locked', // what it refers to was erased meanwhile
  '25006': 'read-only',
  '25P03': 'deadline', // idle in a transaction for too long
  '40001': 'locked',
  '40P01': 'locked', // deadlock
  '42P01': 'missing', // the tables have gone
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

/** The fault behind an error of the driver; any other SQL error by its code alone, for its words may be a visitor's. */
export function toFault(error: unknown): Error {
  if (error instanceof InboxUnavailable) return error
  if (!(error instanceof DatabaseError)) {
    return new InboxUnavailable('cannot-open', { cause: error })
  }
  const code = error.code ?? ''
  if (OUT_OF_REACH.test(code)) return new InboxUnavailable('cannot-open', { cause: error })
  const reason = FAULTS[code]
  return reason ? new InboxUnavailable(reason) : new Error(`PostgreSQL refused with ${code}`)
}
