import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/**
 * What Node has stripped of types and compiled, for the next start: that takes a third less. Beside the
 * packages, where only those can write who can change the code anyway; where nobody can, starts are as before.
 */
const CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled')

/**
 * How far the heap may grow beyond what was in use when V8 last looked through it, in percent; by itself V8 allows
 * several times as much. Said after the start: Node's own compiled code is valid under V8's default flags only.
 */
const HEAP_GROWTH = 50

const { directory } = enableCompileCache(CACHE)
// Threads and other processes find it there.
if (directory) process.env.NODE_COMPILE_CACHE = directory

const { run } = await import('./process/run.ts')
await run(process, process.env)
// Who is killed has kept it all the same.
flushCompileCache()
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`)
