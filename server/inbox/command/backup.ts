import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeErasedList } from '../erased-list.ts'
import { sync } from '../files.ts'
import type { Store } from '../store.ts'
import { exportMessages } from './export.ts'
import type { Given } from './given.ts'
import { parseExport } from './import.ts'
import { findDamage } from './verify.ts'

/** A backup lives longer than network addresses may. */
async function copyDatabase(store: Store, path: string): Promise<void> {
  await store.sqlite?.((database) => database.prepare('VACUUM INTO ?').run(path))
  using copy = new DatabaseSync(path)
  copy.exec(`PRAGMA secure_delete = ON; PRAGMA journal_mode = MEMORY;
    DELETE FROM receipts; DELETE FROM hits`)
  const damage = findDamage(copy)
  if (damage.length > 0) throw new Error(`the inbox is damaged: ${damage.join(', ')}`)
}

async function writeExport(store: Store, path: string): Promise<void> {
  writeFileSync(path, await exportMessages({ store, format: 'jsonl' }))
  parseExport(readFileSync(path))
}

/** While the site runs, copies SQLite's store, or exports PostgreSQL's. The file gets its name when it is whole and checked. */
export async function backUp({ store, file, backup }: Given): Promise<string> {
  const path = resolve(file)
  if (existsSync(path)) throw new Error(`${path} exists already; a backup never replaces a file`)
  const part = `${path}.part`
  closeSync(openSync(part, 'wx', 0o600))
  try {
    await writeErasedList(store, backup.folder)
    await (store.sqlite ? copyDatabase : writeExport)(store, part)
    sync(part)
    renameSync(part, path)
    sync(dirname(path))
  } catch (error) {
    throw new Error(`${path} was not written: ${(error as Error).message}`)
  } finally {
    rmSync(part, { force: true })
  }
  return `The inbox is backed up to ${file}, and the backup was checked.\n`
}
