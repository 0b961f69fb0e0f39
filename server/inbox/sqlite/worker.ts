import { parentPort, workerData } from 'node:worker_threads'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { runBatch } from './group-commit.ts'
import { type Batch, type Outcome, toOutcome } from './protocol.ts'

// How long a foreign lock is waited for at a time, in ms; the caller asks again until its deadline.
const LONGEST_WAIT = 250

let connection: Connection | undefined

function disconnect(): void {
  const database = connection?.database
  connection = undefined
  database?.close()
}

function connect(timeout: number): Connection {
  if (connection && !connection.isCurrent()) disconnect()
  connection ??= openConnection(workerData as ConnectionOptions, timeout)
  connection.database.exec(`PRAGMA busy_timeout = ${timeout}`)
  return connection
}

function run(batch: Batch): Outcome[] {
  const remaining = Math.min(...batch.jobs.map(({ deadline }) => deadline)) - Date.now()
  try {
    const timeout = Math.ceil(Math.min(Math.max(remaining, 1), LONGEST_WAIT))
    const { database, operations } = connect(timeout)
    return runBatch(database, operations, batch)
  } catch (error) {
    return batch.jobs.map(() => toOutcome(error))
  }
}

function needsNewConnection(outcome: Outcome): boolean {
  return 'fault' in outcome && outcome.fault !== 'deadline' && outcome.fault !== 'locked'
}

parentPort?.on('message', (message: Batch | 'close') => {
  if (message === 'close') {
    disconnect()
    parentPort?.close()
    return
  }
  const outcomes = run(message)
  parentPort?.postMessage(outcomes)
  if (outcomes.some(needsNewConnection)) disconnect()
})
