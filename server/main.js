import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Node reads this file before the compile cache is on. A .ts file would load Node's compiler for TypeScript, which
// costs 10 MB and 60 ms of processor time.

/** Makes the next start a third faster. Only users who can change the code can write to node_modules. */
const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled')

const { directory } = enableCompileCache(COMPILE_CACHE)
// Threads and child processes read this variable. If the operator set it, `directory` is its subfolder for this Node.
if (directory) process.env.NODE_COMPILE_CACHE ??= directory

const { run } = await import('./process/run.ts')
await run(process, process.env)
// Flush now: a process killed later would never write its compile cache. Files loaded later are not in the cache.
flushCompileCache()
