import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import * as FUNCTIONS from '../operations/index.ts'
import { perform } from '../operations.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { runBatch } from './group-commit.ts'
import { type Job, type Outcome, toJobResult } from './protocol.ts'

/** Maximum wait for another process's lock. The store then repeats the job until its deadline. */
const MAX_LOCK_WAIT_MS = 250

let connection: Connection | undefined

function disconnect(): void {
  const database = connection?.database
  connection = undefined
  database?.close()
}

async function connect(timeoutMs: number): Promise<Connection> {
  if (connection && !connection.isCurrent()) disconnect()
  connection ??= await openConnection(workerData as ConnectionOptions, timeoutMs)
  connection.database.exec(`PRAGMA busy_timeout = ${timeoutMs}`)
  return connection
}

async function run(jobs: Job[]): Promise<Outcome[]> {
  const remaining = Math.min(...jobs.map(({ deadline }) => deadline)) - Date.now()
  try {
    const timeoutMs = Math.ceil(Math.min(Math.max(remaining, 1), MAX_LOCK_WAIT_MS))
    const { database, createSession } = await connect(timeoutMs)
    return await runBatch(database, jobs, ({ name, args, now }) =>
      perform(FUNCTIONS, name, createSession(now), args),
    )
  } catch (error) {
    return jobs.map(() => toJobResult(error))
  }
}

function needsNewConnection(outcome: Outcome): boolean {
  return 'reason' in outcome && outcome.reason !== 'deadline' && outcome.reason !== 'locked'
}

// The store sends the next batch only after it has the outcomes of this one, so batches never overlap.
parentPort?.on('message', async (message: Job[] | 'close') => {
  if (message === 'close') {
    disconnect()
    parentPort?.close()
    return
  }
  const outcomes = await run(message)
  parentPort?.postMessage(outcomes)
  if (outcomes.some(needsNewConnection)) disconnect()
})

// Otherwise a killed process would never write this thread's compile cache.
flushCompileCache()
