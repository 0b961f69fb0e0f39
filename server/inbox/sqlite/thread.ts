import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import * as OPERATIONS from '../operations/index.ts'
import { createSqliteStore } from './store.ts'
import { type Call, claim, toFailure } from './thread-store.ts'

const store = createSqliteStore(workerData)
const operations: Partial<Record<string, unknown>> = OPERATIONS

async function run({ kind, name, args, options }: Call) {
  const operation = operations[name]
  if (typeof operation !== 'function') throw new Error(`There is no operation ${name}`)
  const value = await store.transact(kind, async (each) => operation(each, ...args), [], options)
  return { value }
}

parentPort?.on('message', async (call: Call | 'close') => {
  if (call === 'close') {
    await store.close()
    parentPort?.close()
  } else if (claim(call)) {
    const outcome = await run(call).catch(toFailure)
    parentPort?.postMessage({ id: call.id, ...outcome })
  }
})

// Otherwise a killed process would never write this thread's compile cache.
flushCompileCache()
