import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '../..')

/** The inbox command. */
export const CLI = join(ROOT, 'server/inbox/cli.ts')

/** Reads a text file of the project. */
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
