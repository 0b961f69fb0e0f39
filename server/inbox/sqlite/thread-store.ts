import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { InboxUnavailable, OperationRefused, type UnavailableReason } from '../inbox.ts'
import type { Kind, Store, TransactOptions } from '../operations.ts'
import type { ConnectionOptions } from './connection.ts'

export interface Call {
  id: number
  kind: Kind
  /** Name of the function in `operations/`. */
  name: string
  args: unknown[]
  options: TransactOptions
}

/** Time after the deadline to wait for a thread that hangs: it may be in a COMMIT. */
const HANG_EXTRA_MS = 1000

type Failure =
  | { reason: UnavailableReason }
  | { refusal: Pick<OperationRefused, 'code' | 'subject'> }
  | { error: unknown }

/** `never`, because only the caller knows the type of the value. */
type Answer = { id: number } & ({ value: never } | Failure)

/** Messages between threads lose the class of an error. */
export function toFailure(error: unknown): Failure {
  if (error instanceof InboxUnavailable) return { reason: error.reason }
  if (!(error instanceof OperationRefused)) return { error }
  return { refusal: { code: error.code, subject: error.subject } }
}

function toError(failure: Failure): unknown {
  if ('reason' in failure) return new InboxUnavailable(failure.reason)
  if ('error' in failure) return failure.error
  return new OperationRefused(failure.refusal.code, failure.refusal.subject)
}

type Caller = Omit<PromiseWithResolvers<never>, 'promise'>

/** Runs the store of store.ts in its own thread, so that no page waits for the disk. */
export function createThreadStore(
  options: ConnectionOptions,
  onCrash: (error: unknown) => void,
): Store {
  const callers = new Map<number, Caller>()
  let lastId = 0
  let thread: Worker | undefined

  function start(): Worker {
    const started = new Worker(new URL('./thread.ts', import.meta.url), { workerData: options })
    // Under `node --watch`, Node posts other messages here, which name no call.
    started.on('message', settle)
    started.on('error', onCrash)
    started.on('exit', () => {
      thread = undefined
      for (const { reject } of callers.values()) reject(new InboxUnavailable('crashed'))
    })
    return started
  }

  function settle(answer: Answer): void {
    const caller = callers.get(answer.id)
    if ('value' in answer) caller?.resolve(answer.value)
    else caller?.reject(toError(answer))
  }

  return {
    /** The thread itself rejects a call at its deadline, unless it hangs. */
    async transact(kind, { name }, args, options) {
      const { promise, ...caller } = Promise.withResolvers<never>()
      lastId += 1
      const call = { id: lastId, kind, name, args, options }
      const timer = setTimeout(
        () => caller.reject(new InboxUnavailable(kind === 'read' ? 'deadline' : 'unconfirmed')),
        options.deadline + HANG_EXTRA_MS - Date.now(),
      )
      callers.set(call.id, caller)
      thread ??= start()
      thread.ref()
      thread.postMessage(call)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        callers.delete(call.id)
        if (callers.size === 0) thread?.unref()
      }
    },
    async close() {
      if (!thread) return
      thread.ref()
      thread.postMessage('close')
      await once(thread, 'exit')
    },
  }
}
