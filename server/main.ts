import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * What Node has stripped of types and compiled, for the next start: that takes a third less. Beside the
 * packages, where only those can write who can change the code anyway; where nobody can, starts are as before.
 */
const CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled')

/** When a process has started and answered its first visitor, in ms. */
const SETTLED = 1000

const { directory } = enableCompileCache(CACHE)
// Threads and other processes find it there.
if (directory) process.env.NODE_COMPILE_CACHE = directory

const { run } = await import('./run.ts')
await run(process, process.env)
// Who is killed has kept it all the same.
flushCompileCache()
setTimeout(async () => {
  const { sweepHeap } = await import('./ops/heap.ts')
  await sweepHeap()
}, SETTLED).unref()
