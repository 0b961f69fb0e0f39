import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { InboxUnavailable } from '../inbox.ts'
import type { Store } from '../operations.ts'
import type { ConnectionOptions } from './connection.ts'
import { type Answer, type Call, claim, createPost, toError } from './protocol.ts'

interface Caller {
  resolve(value: never): void
  reject(error: unknown): void
}

/** Runs the store of store.ts in its own thread, so that no page waits for the disk. */
export function createThreadStore(
  options: ConnectionOptions,
  onCrash: (error: unknown) => void,
): Store {
  const callers = new Map<number, Caller>()
  let lastId = 0
  let thread: Worker | undefined
  const post = createPost<Call>((calls) => thread?.postMessage(calls))

  function start(): Worker {
    const started = new Worker(new URL('./thread.ts', import.meta.url), { workerData: options })
    started.on('message', (answers: Answer[]) => {
      // Under `node --watch`, Node posts other messages here, which are no arrays.
      if (Array.isArray(answers)) answers.forEach(settle)
    })
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
    /** Rejects at the deadline, unless the thread has begun with the call: then its outcome counts. */
    async transact(kind, { name }, args, options) {
      const { promise, ...caller } = Promise.withResolvers<never>()
      lastId += 1
      const claimed = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      const call = { id: lastId, kind, name, args, options, claimed }
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
      post(call)
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
