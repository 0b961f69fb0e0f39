import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// In JavaScript: a .ts file would load Node's TypeScript compiler, because the compile cache is not on yet.

/** Aborted at SIGTERM or SIGINT, with the name of the signal as reason. */
const stopping = new AbortController()
// As process 1 of a container, Node receives these signals only with a listener: otherwise the kernel drops them.
for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => stopping.abort(name))

/** Node runs this folder's content, so only users who can change the code may write there. */
const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled')

const { directory } = enableCompileCache(COMPILE_CACHE)
// Threads and child processes find the cache by this variable. `??=` keeps the value that an operator has set.
if (directory) process.env.NODE_COMPILE_CACHE ??= directory

const { run } = await import('./process/run.ts')
await run(process.env, stopping.signal)
// Otherwise Node writes the cache only at exit, so a killed process would write none.
flushCompileCache()
