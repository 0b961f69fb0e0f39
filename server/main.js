import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// As process 1 of a container, Node receives these signals only with a listener: otherwise the kernel drops them.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(signal))
/**
 * process/run.ts replaces it once the configuration is read.
 * @type {(signal: NodeJS.Signals) => void}
 */
let stop = () => process.exit(0)

// In JavaScript: a .ts file would load Node's TypeScript compiler, because the compile cache is not on yet.

/** Node runs this folder's content, so only users who can change the code may write there. */
const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled')

const { directory } = enableCompileCache(COMPILE_CACHE)
// Threads and child processes find the cache by this variable. `??=` keeps the value that an operator has set.
if (directory) process.env.NODE_COMPILE_CACHE ??= directory

const { run } = await import('./process/run.ts')
await run(process.env, (stopGracefully) => {
  stop = stopGracefully
})
// Otherwise Node writes the cache only at exit, so a killed process would write none.
flushCompileCache()
