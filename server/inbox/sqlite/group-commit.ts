import type { DatabaseSync } from 'node:sqlite'
import { OPERATIONS } from '../operations.ts'
import { findReason, type Job, type Outcome, toJobResult } from './protocol.ts'
import { transact } from './session.ts'

/** All writes share one commit. A write that misses its deadline is undone. */
export async function runBatch(
  database: DatabaseSync,
  jobs: Job[],
  runJob: (job: Job) => Promise<unknown>,
): Promise<Outcome[]> {
  const tasks = jobs.map((job) => ({ job, outcome: { reason: 'deadline' } as Outcome }))
  type Task = (typeof tasks)[number]

  const isInTime = ({ job }: Task) => Date.now() < job.deadline

  async function run({ job }: Task): Promise<Outcome> {
    return { value: await runJob(job) }
  }

  async function write(task: Task): Promise<Outcome> {
    database.exec('SAVEPOINT job')
    try {
      const outcome = await run(task)
      database.exec('RELEASE job')
      return outcome
    } catch (error) {
      if (findReason(error)) throw error
      database.exec('ROLLBACK TO job; RELEASE job')
      return toJobResult(error)
    }
  }

  async function writeTogether(together: Task[]): Promise<void> {
    database.exec('SAVEPOINT together')
    for (const task of together) task.outcome = await write(task)
    const inTime = together.filter(isInTime)
    if (inTime.length === together.length) return
    // Repeat all jobs that are in time: they may have read the writes of a late job.
    database.exec('ROLLBACK TO together; RELEASE together')
    for (const task of together) task.outcome = { reason: 'deadline' }
    await writeTogether(inTime)
  }

  const isAlone = ({ job }: Task) => OPERATIONS[job.name] !== 'write'
  for (const task of tasks.filter(isAlone)) {
    if (isInTime(task)) task.outcome = await run(task).catch(toJobResult)
  }
  const writes = tasks.filter((task) => !isAlone(task) && isInTime(task))
  try {
    if (writes.length > 0) await transact(database, () => writeTogether(writes))
  } catch (error) {
    for (const task of writes) task.outcome = toJobResult(error)
  }
  return tasks.map(({ outcome }) => outcome)
}
