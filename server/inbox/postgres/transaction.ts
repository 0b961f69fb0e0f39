import type { Pool, PoolClient } from 'pg'
import { InboxUnavailable, type UnavailableReason } from '../inbox-errors.ts'
import type { RunOptions } from '../operations/index.ts'
import type { Session } from '../session.ts'
import { createSession, query, toInboxError } from './postgres-session.ts'

/** The server times out first, so that its error arrives before the deadline. */
const SERVER_HEAD_START_MS = 20
/** The idle timeout frees the locks of a hung process. */
const IDLE_EXTRA_MS = 1000
/** Time after the deadline to wait for the answer to a COMMIT. */
const COMMIT_EXTRA_MS = 1000

interface TransactionOptions extends RunOptions {
  readOnly: boolean
  mailPerHour?: number
  /** Resolves when the store closes. */
  closing: Promise<void>
}

/** At least 1: Node warns of a timer with a negative delay. */
function getRemaining(deadline: number): number {
  return Math.max(1, deadline - Date.now())
}

function begin({ deadline, readOnly }: TransactionOptions): string {
  const timeout = Math.max(1, Math.floor(getRemaining(deadline) - SERVER_HEAD_START_MS))
  // A write that waited for a lock must see what its holder committed.
  const mode = readOnly ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED'
  return `BEGIN ISOLATION LEVEL ${mode};
    SET LOCAL synchronous_commit = on;
    SET LOCAL lock_timeout = ${timeout};
    SET LOCAL statement_timeout = ${timeout + SERVER_HEAD_START_MS / 2};
    SET LOCAL idle_in_transaction_session_timeout = ${timeout + IDLE_EXTRA_MS};
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`
}

/** Rejects with `reason` if the promise has not settled by `deadline` (epoch ms). */
export async function rejectLate<Value>(
  promise: Promise<Value>,
  deadline: number,
  reason: UnavailableReason = 'deadline',
): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(late.reject, getRemaining(deadline), new InboxUnavailable(reason))
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function acquire(pool: Pool, deadline: number): Promise<PoolClient> {
  // pool.connect throws synchronously when a certificate cannot be read.
  const connecting = Promise.try(() => pool.connect()).catch((error) => {
    throw toInboxError(error)
  })
  try {
    return await rejectLate(connecting, deadline)
  } catch (error) {
    // A connection made after the deadline goes back to the pool unused.
    connecting.then(
      (client) => client.release(),
      () => {},
    )
    throw error
  }
}

/**
 * Nothing changes unless COMMIT starts before the deadline. Without an answer to COMMIT, the effect is unknown. The
 * session's time is the server's by default, because the clocks of the site's machines may differ.
 */
export async function inTransaction<Value>(
  pool: Pool,
  options: TransactionOptions,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  const { deadline, mailPerHour = Number.POSITIVE_INFINITY } = options
  const client = await acquire(pool, deadline)
  let committing: Promise<unknown> | undefined

  async function run(): Promise<Value> {
    const [time] = await query<{ now: number }>(client, begin(options))
    if (!time) throw new Error('PostgreSQL did not return its time')
    return work(createSession(client, { now: options.now ?? time.now, mailPerHour }))
  }

  try {
    const value = await rejectLate(run(), deadline)
    if (Date.now() >= deadline) throw new InboxUnavailable('deadline')
    committing = query(client, 'COMMIT')
    await rejectLate(committing, deadline + COMMIT_EXTRA_MS, 'unconfirmed')
    client.release()
    return value
  } catch (error) {
    // Not a ROLLBACK, which might not be answered.
    const destroy = () => client.release(true)
    // A server that waits for its standby keeps even a destroyed connection, so wait first for its answer or the close of
    // the store: the pool would open too many.
    if (committing) Promise.race([committing, options.closing]).then(destroy, destroy)
    else destroy()
    const isLost = committing && error instanceof InboxUnavailable && error.reason === 'cannot-open'
    throw isLost ? new InboxUnavailable('unconfirmed', { cause: error }) : error
  }
}
