import { Worker } from 'node:worker_threads'
import { InboxUnavailable, type UnavailableReason } from '../inbox.ts'
import type {
  OperationArgs,
  OperationName,
  OperationResult,
  RunOptions,
  Store,
} from '../operations.ts'
import type { ConnectionOptions } from './connection.ts'
import { type Job, type Outcome, toError, toJobResult } from './protocol.ts'

interface Call {
  job: Job
  /** Reason for the rejection at the deadline. */
  lateReason: UnavailableReason
  settle(outcome: Outcome): void
}

const MAX_BATCH_SIZE = 256

/** A waiting call rejects at its deadline; a running call waits for the thread's outcome. */
export function createSqliteStore(
  options: ConnectionOptions,
  onCrash: (error: unknown) => void,
): Store {
  const waiting = new Set<Call>()
  let running: Call[] = []
  let worker: Worker | undefined
  let isClosing = false
  const closed = Promise.withResolvers<void>()

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options })
    // Under `node --watch`, Node posts other messages here. Only outcomes are arrays.
    started.on('message', (outcomes) => {
      if (Array.isArray(outcomes)) finish(outcomes)
    })
    started.on('error', onCrash)
    started.on('exit', () => {
      worker = undefined
      finish(running.map(() => ({ reason: 'crashed' })))
    })
    return started
  }

  function dispatch(): void {
    if (running.length > 0) return
    if (waiting.size === 0) {
      if (isClosing) closeWorker()
      return
    }
    running = waiting.values().take(MAX_BATCH_SIZE).toArray()
    for (const call of running) waiting.delete(call)
    try {
      worker ??= start()
      worker.ref()
      worker.postMessage(running.map(({ job }) => job))
    } catch (error) {
      finish(running.map(() => toJobResult(error)))
    }
  }

  function finish(outcomes: Outcome[]): void {
    const finished = running
    running = []
    worker?.unref()
    for (const [index, call] of finished.entries()) {
      const outcome = outcomes[index] ?? { reason: 'crashed' }
      const isLocked = 'reason' in outcome && outcome.reason === 'locked'
      if (isLocked && Date.now() < call.job.deadline) {
        call.lateReason = 'locked'
        waiting.add(call)
      } else {
        call.settle(outcome)
      }
    }
    dispatch()
  }

  function expire(call: Call): void {
    if (waiting.delete(call)) call.settle({ reason: 'deadline' })
  }

  function closeWorker(): void {
    if (!worker) closed.resolve()
    worker?.ref()
    worker?.postMessage('close')
  }

  function run<Name extends OperationName>(
    name: Name,
    args: OperationArgs<Name>,
    { deadline, now = Date.now() }: RunOptions,
  ): Promise<OperationResult<Name>> {
    if (isClosing) return Promise.reject(new InboxUnavailable('closed'))
    const { promise, resolve, reject } = Promise.withResolvers<OperationResult<Name>>()
    // At least 1: Node warns of a timer with a negative delay.
    const timer = setTimeout(() => expire(call), Math.max(1, deadline - Date.now()))
    const call: Call = {
      job: { name, args, now, deadline },
      lateReason: 'deadline',
      settle(outcome) {
        clearTimeout(timer)
        if ('value' in outcome) resolve(outcome.value as OperationResult<Name>)
        else if ('reason' in outcome && outcome.reason === 'deadline') {
          reject(new InboxUnavailable(call.lateReason))
        } else reject(toError(outcome))
      },
    }
    waiting.add(call)
    // Calls of the same turn of the event loop share a batch.
    setImmediate(dispatch)
    return promise
  }

  return {
    run,
    close() {
      isClosing = true
      dispatch()
      return closed.promise
    },
  }
}
