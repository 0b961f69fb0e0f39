import type { DatabaseSync } from 'node:sqlite'
import { BARE, type Operations, READS } from '../operations.ts'
import { claim, isLate } from './commit-flags.ts'
import { findFault } from './error-codes.ts'
import { type Batch, type Outcome, toOutcome } from './protocol.ts'
import { transact } from './transact.ts'

/**
 * Runs jobs so that the writing ones share one commit, each in its own savepoint.
 * A job that is given up, or late by the time of the COMMIT, leaves no trace.
 */
export function runBatch(
  database: DatabaseSync,
  operations: Operations,
  { jobs, claims }: Batch,
): Outcome[] {
  const tasks = jobs.map((job, index) => ({
    ...job,
    index,
    outcome: { fault: 'deadline' } as Outcome,
  }))
  type Task = (typeof tasks)[number]

  function run({ operation, args }: Task): Outcome {
    return { value: (operations[operation] as (...args: unknown[]) => unknown)(...args) }
  }

  function runAlone(task: Task): Outcome {
    try {
      return run(task)
    } catch (error) {
      return toOutcome(error)
    }
  }

  function write(task: Task): Outcome {
    database.exec('SAVEPOINT job')
    try {
      const outcome = run(task)
      database.exec('RELEASE job')
      return outcome
    } catch (error) {
      if (findFault(error)) throw error
      database.exec('ROLLBACK TO job; RELEASE job')
      return toOutcome(error)
    }
  }

  function writeTogether(together: Task[]): void {
    database.exec('SAVEPOINT together')
    for (const task of together) task.outcome = write(task)
    const inTime = together.filter(({ index, deadline }) => claim(claims, index, deadline))
    if (inTime.length === together.length) return
    // Others may have built on what a late job wrote: they run again without it.
    database.exec('ROLLBACK TO together; RELEASE together')
    for (const task of together) task.outcome = { fault: 'deadline' }
    writeTogether(inTime)
  }

  const wanted = tasks.filter(({ index, deadline }) => !isLate(claims, index, deadline))
  const isAlone = ({ operation }: Task) => READS.has(operation) || BARE.has(operation)
  const writes = wanted.filter((task) => !isAlone(task))
  for (const task of wanted.filter(isAlone)) task.outcome = runAlone(task)
  try {
    if (writes.length > 0) transact(database, () => writeTogether(writes))
  } catch (error) {
    for (const task of writes) task.outcome = toOutcome(error)
  }
  return tasks.map(({ outcome }) => outcome)
}
