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
import { setTimeout as wait } from 'node:timers/promises'
import { writeErasedList } from '../erased-list.ts'
import { sync } from '../files.ts'
import { SQLITE_MIGRATIONS as MIGRATIONS } from '../schema.ts'
import type { Store } from '../store.ts'
import { exportMessages } from './export.ts'
import type { Given } from './given.ts'
import { parseExport } from './import.ts'
import { findDamage } from './verify.ts'

/** Not hits and receipts: a backup lives longer than network addresses may. */
const TABLES = ['messages', 'outbox', 'attempts', 'audit', 'errors']

/** Small transactions, because commits of the site wait while the disk takes those of the copy. */
const BATCH_ROWS = 200
const PAUSE_MS = 10

async function copyDatabase(source: DatabaseSync, path: string): Promise<void> {
  using copy = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  // A copy that breaks off is thrown away, so it needs no journal.
  copy.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL; BEGIN;
    ${MIGRATIONS.join(';')}; PRAGMA user_version = ${MIGRATIONS.length}`)
  source.exec('BEGIN')
  let rows = 0
  for (const table of TABLES) {
    const select = source.prepare(`SELECT * FROM ${table}`)
    const insert = copy.prepare(`INSERT INTO ${table} VALUES (${select.columns().map(() => '?')})`)
    for (const row of select.iterate()) {
      insert.run(...Object.values(row))
      rows += 1
      if (rows % BATCH_ROWS !== 0) continue
      copy.exec('COMMIT')
      await wait(PAUSE_MS)
      copy.exec('BEGIN')
    }
  }
  copy.exec('COMMIT')
  source.exec('COMMIT')
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
  const partial = `${path}.part`
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    await writeErasedList(store, backup.folder)
    if (store.sqlite) await store.sqlite((database) => copyDatabase(database, partial))
    else await writeExport(store, partial)
    sync(partial)
    renameSync(partial, path)
    sync(dirname(path))
  } catch (error) {
    throw new Error(`${path} was not written: ${(error as Error).message}`)
  } finally {
    rmSync(partial, { force: true })
  }
  return `The inbox is backed up to ${file}, and the backup was checked.\n`
}
