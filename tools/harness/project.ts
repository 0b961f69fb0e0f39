import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
export const CLI = join(ROOT, 'server/inbox/cli.ts')
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
