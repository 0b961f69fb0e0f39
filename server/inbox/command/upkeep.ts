import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { WHOLE_STORE_TIMEOUT_MS } from '../messages.ts'
import type { Given } from './commands.ts'

function checkDamage(database: DatabaseSync): string[] {
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

/** Copies the store while the site runs. Renames the copy only after checking it and flushing it to the disk. */
export async function backUp({ store, file }: Given): Promise<string> {
  if (!store.sqlite) {
    throw new Error(
      'PostgreSQL is backed up by pg_dump: pg_dump --format=custom --exclude-table-data=receipts --exclude-table-data=hits "$DATABASE_URL" > FILE',
    )
  }
  const path = resolve(file)
  if (existsSync(path)) throw new Error(`${path} exists already; a backup never replaces a file`)
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    closeSync(openSync(unfinished, 'wx', 0o600))
    await store.sqlite((database) => database.prepare('VACUUM INTO ?').run(unfinished))
    {
      using copy = new DatabaseSync(unfinished)
      // A backup lives longer than network addresses may.
      copy.exec('PRAGMA secure_delete = ON; PRAGMA journal_mode = MEMORY')
      copy.exec('DELETE FROM receipts; DELETE FROM hits')
      const faults = checkDamage(copy)
      if (faults.length > 0) throw new Error(`the inbox is damaged: ${faults.join(', ')}`)
    }
    sync(unfinished)
    renameSync(unfinished, path)
    sync(dirname(path))
  } catch (error) {
    throw new Error(`${path} was not written: ${(error as Error).message}`, { cause: error })
  } finally {
    rmSync(unfinished, { force: true })
  }
  return `The inbox is copied to ${file}, and the copy was checked.\n`
}

/** Messages that nothing would mail, and mails of messages that were mailed. */
const CONTRADICTIONS = `SELECT messages.reference, status, due_at
  FROM messages LEFT JOIN outbox ON outbox.reference = messages.reference
  WHERE outbox.reference IS NULL OR (status IN ('new', 'dead')) <> (due_at IS NOT NULL)`

export async function verify({ store }: Given): Promise<string> {
  const damage = (await store.sqlite?.(checkDamage)) ?? []
  const rows = await store.transaction(
    (db) => db.query<{ reference: string; status: string }>(CONTRADICTIONS),
    { readOnly: true, timeoutMs: WHOLE_STORE_TIMEOUT_MS },
  )
  const faults = rows.map(({ reference, status }) => `${reference}: ${status}, but its mail is not`)
  if (damage.length + faults.length > 0) throw new Error([...damage, ...faults].join('\n'))
  return 'No fault was found in the inbox.\n'
}
