import { Worker } from 'node:worker_threads'
import { InboxUnavailable, type UnavailableReason } from '../inbox.ts'
import type { OperationArgs, OperationName, Operations, Store } from '../operations.ts'
import { cancel, createClaims } from './commit-flags.ts'
import type { ConnectionOptions } from './connection.ts'
import { type Batch, type Job, type Outcome, toOutcome } from './protocol.ts'

interface Call extends Job {
  /** What it has failed of when its deadline comes. */
  fault: UnavailableReason
  settle(outcome: Outcome): void
}

const LARGEST_BATCH = 256
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Owns the worker that owns the database, and hands it all that waits whenever it is idle.
 * A call settles by its deadline, unless its job is in its COMMIT at that moment.
 */
export function createSqliteThread(
  options: ConnectionOptions,
  onCrash: (error: unknown) => void,
): Store {
  const waiting = new Set<Call>()
  let running: Call[] = []
  let claims = createClaims(0)
  let worker: Worker | undefined
  let closing = false
  const closed = Promise.withResolvers<void>()

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options })
    // Under `node --watch` Node posts messages of its own here.
    started.on('message', (outcomes) => {
      if (Array.isArray(outcomes)) finish(outcomes)
    })
    started.on('error', onCrash)
    started.on('exit', () => {
      worker = undefined
      finish(running.map(() => ({ fault: 'crashed' })))
    })
    return started
  }

  function dispatch(): void {
    if (running.length > 0) return
    if (waiting.size === 0) {
      if (closing) closeWorker()
      return
    }
    running = waiting.values().take(LARGEST_BATCH).toArray()
    for (const call of running) waiting.delete(call)
    claims = createClaims(running.length)
    const jobs = running.map(({ operation, args, deadline }) => ({ operation, args, deadline }))
    try {
      worker ??= start()
      worker.ref()
      worker.postMessage({ jobs, claims } satisfies Batch)
    } catch (error) {
      finish(running.map(() => toOutcome(error)))
    }
  }

  function finish(outcomes: Outcome[]): void {
    const finished = running
    running = []
    worker?.unref()
    for (const [index, call] of finished.entries()) {
      const outcome = outcomes[index] ?? { fault: 'crashed' }
      if ('fault' in outcome && outcome.fault === 'locked' && Date.now() < call.deadline) {
        call.fault = 'locked'
        waiting.add(call)
      } else {
        call.settle(outcome)
      }
    }
    dispatch()
  }

  function expire(call: Call): void {
    const index = running.indexOf(call)
    const committing = index >= 0 && !cancel(claims, index)
    if (committing) return
    waiting.delete(call)
    call.settle({ fault: 'deadline' })
  }

  function closeWorker(): void {
    if (!worker) closed.resolve()
    worker?.ref()
    worker?.postMessage('close')
  }

  function run<Name extends OperationName>(
    operation: Name,
    args: OperationArgs<Name>,
    deadline: number,
  ): Promise<ReturnType<Operations[Name]>> {
    if (closing) return Promise.reject(new InboxUnavailable('closed'))
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Operations[Name]>>()
    const timer = setTimeout(() => expire(call), Math.min(deadline - Date.now(), LONGEST_TIMER))
    const call: Call = {
      operation,
      args: typeof args === 'function' ? args(Date.now()) : args,
      deadline,
      fault: 'deadline',
      settle(outcome) {
        clearTimeout(timer)
        if ('value' in outcome) resolve(outcome.value as ReturnType<Operations[Name]>)
        else if ('error' in outcome) reject(new Error(outcome.error))
        else reject(new InboxUnavailable(outcome.fault === 'deadline' ? call.fault : outcome.fault))
      },
    }
    waiting.add(call)
    // Calls of the same turn of the event loop go together.
    setImmediate(dispatch)
    return promise
  }

  function close(): Promise<void> {
    closing = true
    dispatch()
    return closed.promise
  }

  return { run, close }
}
