import { statSync } from 'node:fs'
import { join } from 'node:path'

const CLIENT = join(import.meta.dirname, '../../dist/client')

/** Compressed size of a script of the build, in bytes. */
export const weigh = (path: string): number => statSync(join(CLIENT, `${path}.br`)).size
