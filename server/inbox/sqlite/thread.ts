import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { createSqliteStore } from './store.ts'
import { type Call, claim, toFailure } from './thread-store.ts'

const store = createSqliteStore(workerData)

const run = async ({ name, args, options }: Call) => ({
  value: await store.run(name, args, options),
})

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
