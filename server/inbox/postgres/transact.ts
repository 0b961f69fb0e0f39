import type { Pool, PoolClient } from 'pg'
import { InboxUnavailable } from '../inbox.ts'
import { toFault } from './error-codes.ts'
import { createSession, type Session } from './session.ts'

// The server gives up a little earlier than we do, so that its answer comes in time.
const HEAD_START = 20
// When the server takes us for dead and frees what we have locked.
const TIME_TO_WAKE = 1000
// How long the answer to a COMMIT is waited for beyond the deadline.
const TIME_TO_COMMIT = 1000
// More than this no timer of Node's and no timeout of PostgreSQL's can be relied on to take.
const LONGEST_TIME = 24 * 60 * 60 * 1000

interface TransactOptions {
  deadline: number
  readOnly: boolean
}

/** The time until a deadline, in ms, as timers can take it. */
export function getRemaining(deadline: number): number {
  return Math.min(deadline - Date.now(), LONGEST_TIME)
}

function begin({ deadline, readOnly }: TransactOptions): string {
  const timeout = Math.max(1, Math.floor(getRemaining(deadline) - HEAD_START))
  const mode = readOnly ? 'ISOLATION LEVEL REPEATABLE READ READ ONLY' : ''
  return `BEGIN ${mode};
    SET LOCAL synchronous_commit = on;
    SET LOCAL lock_timeout = ${timeout};
    SET LOCAL statement_timeout = ${timeout + HEAD_START / 2};
    SET LOCAL idle_in_transaction_session_timeout = ${timeout + TIME_TO_WAKE};
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`
}

/** A connection of the pool; a connection that comes after the deadline goes back unused. */
async function acquire(pool: Pool, deadline: number): Promise<PoolClient> {
  const { promise, resolve, reject } = Promise.withResolvers<PoolClient>()
  let isTooLate = false
  const timer = setTimeout(() => {
    isTooLate = true
    reject(new InboxUnavailable('deadline'))
  }, getRemaining(deadline))
  // It throws at once where a certificate cannot be read.
  Promise.try(() => pool.connect()).then(
    (client) => (isTooLate ? client.release() : resolve(client)),
    (error) => reject(toFault(error)),
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs work in a transaction that is over by its deadline. Nothing is kept of what has not reached
 * its COMMIT by then: the connection is cut, and the server rolls back what it hears no more of.
 * The work is told the server's time, in epoch ms: the clocks of the machines that share it may differ.
 * A COMMIT under way is waited for; when its answer never comes, whether it was kept is open.
 */
export async function transact<Value>(
  pool: Pool,
  options: TransactOptions,
  work: (session: Session, now: number) => Promise<Value>,
): Promise<Value> {
  const { deadline } = options
  const client = await acquire(pool, deadline)
  const cut = Promise.withResolvers<never>()
  let committing = false
  let timer = setTimeout(() => cut.reject(new InboxUnavailable('deadline')), getRemaining(deadline))

  async function run(): Promise<Value> {
    const session = createSession(client)
    const [time] = await session.query<{ now: number }>(begin(options))
    if (!time) throw new Error('PostgreSQL did not tell the time')
    const value = await work(session, time.now)
    if (Date.now() >= deadline) throw new InboxUnavailable('deadline')
    committing = true
    clearTimeout(timer)
    timer = setTimeout(
      () => cut.reject(new InboxUnavailable('unconfirmed')),
      getRemaining(deadline) + TIME_TO_COMMIT,
    )
    await session.query('COMMIT')
    return value
  }

  try {
    const value = await Promise.race([run(), cut.promise])
    client.release()
    return value
  } catch (error) {
    // Cuts the connection: cheaper than a ROLLBACK that might not be answered, and always right.
    client.release(true)
    const lost = committing && error instanceof InboxUnavailable && error.reason === 'cannot-open'
    throw lost ? new InboxUnavailable('unconfirmed', { cause: error }) : error
  } finally {
    clearTimeout(timer)
  }
}
