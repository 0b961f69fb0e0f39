import { InboxUnavailable, type UnavailableReason } from '../inbox-errors.ts'
import { type Name, OPERATIONS, perform, type Store } from '../operations/index.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { toInboxError } from './sqlite-session.ts'

interface Job {
  name: Name
  args: unknown[]
  /** Current time for the operation, in epoch ms. */
  now: number
  deadline: number
  /** Reason for the rejection at the deadline. */
  lateReason: UnavailableReason
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Tells the caller of a job its result, once that is committed. */
type Report = () => void

const MAX_BATCH_SIZE = 256
/** Maximum wait for another process's lock. After it, the job is repeated until its deadline. */
const LOCK_WAIT_MS = 100

const isLate = ({ deadline }: Job) => Date.now() >= deadline

/** Runs the calls of one turn of the event loop in batches, and blocks its thread meanwhile. Tests replace `operate`. */
export function createSqliteStore(options: ConnectionOptions, operate = perform): Store {
  const queue: Job[] = []
  let connection: Connection | undefined

  function enqueue(job: Job): void {
    queue.push(job)
    setImmediate(flush)
  }

  // SQLite is called synchronously, so this thread handles no other event before the function ends.
  async function flush(): Promise<void> {
    const batch = queue.splice(0, MAX_BATCH_SIZE)
    const {
      write = [],
      read = [],
      bare = [],
    } = Object.groupBy(batch, ({ name }) => OPERATIONS[name][0])
    for (const job of read) await runOrReject(runAlone, [job])
    for (const job of bare) await runOrReject(runBare, [job])
    await runOrReject(runTogether, write)
  }

  async function runOrReject(run: typeof runTogether, jobs: Job[]): Promise<void> {
    const { late = [], ready = [] } = Object.groupBy(jobs, (job) =>
      isLate(job) ? 'late' : 'ready',
    )
    for (const job of late) job.reject(new InboxUnavailable(job.lateReason))
    if (ready.length === 0) return
    try {
      const current = await connect()
      const reports = await run(current, ready)
      // If the file was replaced, the outcome of the jobs is lost with it.
      if (current.isReplaced()) throw new InboxUnavailable('replaced')
      for (const report of reports) report()
    } catch (error) {
      fail(ready, toInboxError(error))
    }
  }

  /** Connects once: after an error, another file may stand in place of the one that was opened. */
  async function connect(): Promise<Connection> {
    connection ??= await openConnection(options, LOCK_WAIT_MS)
    if (connection.isReplaced()) throw new InboxUnavailable('replaced')
    return connection
  }

  async function runJob({ createSession }: Connection, job: Job): Promise<Report> {
    const value = await operate(job.name, createSession(job.now), job.args)
    return () => job.resolve(value)
  }

  function runAlone(connection: Connection, jobs: Job[]): Promise<Report[]> {
    return Promise.all(jobs.map((job) => runJob(connection, job)))
  }

  function runBare(connection: Connection, jobs: Job[]): Promise<Report[]> {
    connection.check()
    return runAlone(connection, jobs)
  }

  /** BEGIN, the check of the file, a savepoint for each job, COMMIT. A late job undoes them all, because the others may have
   * read its writes. */
  async function runTogether(connection: Connection, jobs: Job[]): Promise<Report[]> {
    const reports: Report[] = []
    await connection.commit(async () => {
      for (const job of jobs) reports.push(await runInSavepoint(connection, job))
      if (jobs.some(isLate)) throw new InboxUnavailable('deadline')
    })
    return reports
  }

  /** A failed job is undone alone, unless the store itself has become unavailable. */
  async function runInSavepoint(connection: Connection, job: Job): Promise<Report> {
    const { database } = connection
    database.exec('SAVEPOINT job')
    try {
      const report = await runJob(connection, job)
      database.exec('RELEASE job')
      return report
    } catch (error) {
      const cause = toInboxError(error)
      if (cause instanceof InboxUnavailable) throw cause
      database.exec('ROLLBACK TO job; RELEASE job')
      return () => job.reject(cause)
    }
  }

  /** After `locked` and `deadline`, queues the jobs again: the next flush rejects those that are late. */
  function fail(jobs: Job[], error: unknown): void {
    const reason = error instanceof InboxUnavailable ? error.reason : undefined
    if (reason === 'locked' || reason === 'deadline') {
      for (const job of jobs) enqueue({ ...job, lateReason: reason })
    } else {
      for (const job of jobs) job.reject(error)
    }
  }

  return {
    run(name, args, { deadline, now = Date.now() }) {
      return new Promise((resolve, reject) => {
        enqueue({ name, args, now, deadline, lateReason: 'deadline', resolve, reject })
      })
    },
    async close() {
      connection?.close()
    },
  }
}
