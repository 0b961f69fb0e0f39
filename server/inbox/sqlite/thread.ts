import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import * as OPERATIONS from '../operations/index.ts'
import { type Call, claim, createPost, toFailure } from './protocol.ts'
import { createSqliteStore } from './store.ts'

const store = createSqliteStore(workerData)
const operations: Partial<Record<string, unknown>> = OPERATIONS
const post = createPost((answers) => parentPort?.postMessage(answers))

async function run({ kind, name, args, options }: Call) {
  const operation = operations[name]
  if (typeof operation !== 'function') throw new Error(`There is no operation ${name}`)
  const value = await store.transact(kind, async (each) => operation(each, ...args), [], options)
  return { value }
}

parentPort?.on('message', async (calls: Call[] | 'close') => {
  if (calls === 'close') {
    await store.close()
    parentPort?.close()
    return
  }
  for (const call of calls.filter(claim)) {
    run(call)
      .catch(toFailure)
      .then((outcome) => post({ id: call.id, ...outcome }))
  }
})

// Otherwise a killed process would never write this thread's compile cache.
flushCompileCache()
