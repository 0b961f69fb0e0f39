import pg from 'pg'
import { InboxUnavailable } from '../inbox.ts'
import {
  type OperationArgs,
  type OperationName,
  type Operations,
  READS,
  type Store,
} from '../operations.ts'
import { migrate } from './migrations.ts'
import { OPERATIONS } from './operations.ts'
import type { Session } from './session.ts'
import { getRemaining, transact } from './transact.ts'

export interface PostgresStoreOptions {
  url: string
  /** Makes the tables when there are none. */
  create: boolean
  /** How long a connection may take to be made, or to come free. */
  connectTimeoutMs?: number
}

/** Small, because several processes on several machines share what the server allows. */
const POOL_SIZE = 5
const CONNECT_TIMEOUT_MS = 3000
const TIME_TO_MIGRATE = 5 * 60 * 1000

const INT8 = 20

const types: pg.CustomTypesConfig = {
  // Epoch milliseconds and counts: far below 2 to the power of 53.
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

// No synchronous_commit among them: every transaction sets its own.
async function checkSettings(session: Session): Promise<void> {
  const [settings] = await session.query(`
    SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
      current_setting('server_encoding') AS encoding`)
  const durable = [settings?.fsync, settings?.pages].every((set) => set === 'on')
  if (!durable) throw new InboxUnavailable('weak-durability')
  if (settings?.encoding !== 'UTF8') throw new InboxUnavailable('wrong-encoding')
}

/** Rejects by the deadline, whatever becomes of the promise. */
async function inTime<Value>(promise: Promise<Value>, deadline: number): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(late.reject, getRemaining(deadline), new InboxUnavailable('deadline'))
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A PostgreSQL database behind a small pool; it is prepared with the first call that reaches it. */
export function createPostgresStore(options: PostgresStoreOptions): Store {
  const { url, create, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'inbox',
    types,
  })
  // A connection may break while nothing is asked of it, in the pool or within a transaction. The
  // pool drops it, or the next query fails; an error event without a listener would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const underWay = new Set<Promise<unknown>>()
  let prepared: Promise<void> | undefined
  let closing: Promise<void> | undefined

  async function prepare(): Promise<void> {
    const run = <Value>(work: (session: Session) => Promise<Value>) =>
      transact(pool, { deadline: Date.now() + TIME_TO_MIGRATE, readOnly: false }, work)
    await run(checkSettings)
    await migrate(run, { create })
  }

  /** What has failed once is tried again with the next call. */
  function getPrepared(): Promise<void> {
    if (!prepared) {
      prepared = prepare()
      prepared.catch(() => {
        prepared = undefined
      })
    }
    return prepared
  }

  async function perform<Name extends OperationName>(
    name: Name,
    args: OperationArgs<Name>,
    deadline: number,
  ): Promise<ReturnType<Operations[Name]>> {
    await inTime(getPrepared(), deadline)
    try {
      const options = { deadline, readOnly: READS.has(name) }
      return await transact(pool, options, (session, now) =>
        OPERATIONS[name](session, ...(typeof args === 'function' ? args(now) : args)),
      )
    } catch (error) {
      if (error instanceof InboxUnavailable && error.reason === 'missing') prepared = undefined
      throw error
    }
  }

  return {
    run(name, args, deadline) {
      if (closing) return Promise.reject(new InboxUnavailable('closed'))
      const call = perform(name, args, deadline)
      underWay.add(call)
      const settled = () => underWay.delete(call)
      call.then(settled, settled)
      return call
    },
    close() {
      closing ??= Promise.allSettled(underWay).then(() => pool.end())
      return closing
    },
  }
}
