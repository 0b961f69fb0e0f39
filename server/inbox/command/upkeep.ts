import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listMessages } from '../messages.ts'
import type { Store } from '../store.ts'

function findDamage(database: DatabaseSync): string[] {
  const rows = ['integrity_check', 'foreign_key_check'].flatMap((check) =>
    database.prepare(`PRAGMA ${check}`).all(),
  )
  return rows.map((row) => Object.values(row).join(' ')).filter((fault) => fault !== 'ok')
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** A backup lives longer than network addresses may. Rejects a copy with faults. */
function prepareCopy(path: string): void {
  using copy = new DatabaseSync(path)
  copy.exec(`PRAGMA secure_delete = ON; PRAGMA journal_mode = MEMORY;
    DELETE FROM receipts; DELETE FROM hits`)
  const damage = findDamage(copy)
  if (damage.length > 0) throw new Error(`the inbox is damaged: ${damage.join(', ')}`)
}

/** Copies the store while the site runs. Renames the copy only after checking it and flushing it to the disk. */
export async function backUp({ store, file }: { store: Store; file: string }): Promise<string> {
  if (!store.sqlite) throw new Error('Back up PostgreSQL with pg_dump; see docs/operating.md')
  const path = resolve(file)
  if (existsSync(path)) throw new Error(`${path} exists already; a backup never replaces a file`)
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    closeSync(openSync(unfinished, 'wx', 0o600))
    await store.sqlite((database) => database.prepare('VACUUM INTO ?').run(unfinished))
    prepareCopy(unfinished)
    sync(unfinished)
    renameSync(unfinished, path)
    sync(dirname(path))
  } catch (error) {
    throw new Error(`${path} was not written: ${(error as Error).message}`)
  } finally {
    rmSync(unfinished, { force: true })
  }
  return `The inbox is copied to ${file}, and the copy was checked.\n`
}

/** SQLite checks itself. PostgreSQL has no such command: it reports damage when it reads a page, so all messages are read. */
export async function verify({ store }: { store: Store }): Promise<string> {
  const damage = (await store.sqlite?.(findDamage)) ?? []
  if (damage.length > 0) throw new Error(damage.join('\n'))
  await listMessages(store, {})
  return 'No fault was found in the inbox.\n'
}
