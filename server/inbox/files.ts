import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS, toLocalDate } from './clock.ts'

/** Flushes a file, or the names in a folder, to the disk. */
export function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** Deletes the files `PREFIXyyyy-mm-dd…` of a folder that are older than `days`, but never the newest `spared`. */
export function deleteOld(folder: string, prefix: string, days: number, spared = 0): void {
  const oldest = toLocalDate(Date.now() - days * DAY_MS)
  const getDate = (name: string) => name.slice(prefix.length, prefix.length + oldest.length)
  const names = readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && /^\d{4}-\d\d-\d\d$/.test(getDate(name)))
    .sort()
  for (const name of names.slice(0, Math.max(0, names.length - spared)))
    if (getDate(name) < oldest) rmSync(join(folder, name), { recursive: true })
}
