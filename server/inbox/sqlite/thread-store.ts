import { Worker } from 'node:worker_threads'
import { InboxUnavailable, OperationRefused, type UnavailableReason } from '../inbox-errors.ts'
import type { Name, RunOptions, Store } from '../operations/index.ts'
import type { ConnectionOptions } from './connection.ts'

export interface Call {
  id: number
  name: Name
  args: unknown[]
  options: RunOptions
  /** Shared memory; see `claim`. */
  claimed: Int32Array
}

/** The thread claims a call to run it, the caller to give it up. True for the first of them. */
export const claim = ({ claimed }: Call) => Atomics.exchange(claimed, 0, 1) === 0

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

/** Runs the store of store.ts in its own thread, so that the disk does not block the event loop. */
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
    started.on('message', answerCaller)
    started.on('error', onCrash)
    started.on('exit', () => {
      thread = undefined
      for (const { reject } of callers.values()) reject(new InboxUnavailable('crashed'))
    })
    return started
  }

  function answerCaller(answer: Answer): void {
    const caller = callers.get(answer.id)
    if ('value' in answer) caller?.resolve(answer.value)
    else caller?.reject(toError(answer))
  }

  return {
    /** Rejects at the deadline, unless the thread has begun with the call: then its outcome counts. */
    async run(name, args, options) {
      const { promise, ...caller } = Promise.withResolvers<never>()
      lastId += 1
      const claimed = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      const call = { id: lastId, name, args, options, claimed }
      // At least 1: Node warns of a timer with a negative delay.
      const timer = setTimeout(
        () => {
          if (claim(call)) caller.reject(new InboxUnavailable('deadline'))
        },
        Math.max(1, options.deadline - Date.now()),
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
      // Not events.once, which rejects if the thread crashes.
      const { promise, resolve } = Promise.withResolvers()
      thread.once('exit', resolve).ref()
      thread.postMessage('close')
      await promise
    },
  }
}
