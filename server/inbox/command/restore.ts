import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../clock.ts'
import type { Database } from '../driver.ts'
import { eraseWhere, IS_EXPIRED, WAS_ERASED } from '../erase.ts'
import { readErasedLists } from '../erased-list.ts'
import { sync } from '../files.ts'
import type { Store } from '../store.ts'
import { createStore } from '../store.ts'
import { StoreUnavailable, UNREADABLE } from '../store-errors.ts'
import type { Given } from './given.ts'
import { findDamage } from './verify.ts'

/** The files of a database: WAL, shared memory, main file. */
const SUFFIXES = ['-wal', '-shm', '']

const ADD_MESSAGES = `INSERT INTO messages SELECT * FROM present.messages
  WHERE reference NOT IN (SELECT reference FROM messages)`
/** The present store is later than the backup, so it knows better how far each message is. */
const BRING_FORWARD = [
  `UPDATE messages SET status = later.status, trapped = later.trapped, expired_at = later.expired_at
    FROM present.messages AS later
    WHERE later.reference = messages.reference AND messages.status <> 'archived'`,
  'DELETE FROM outbox WHERE id IN (SELECT id FROM present.outbox)',
  'INSERT INTO outbox SELECT * FROM present.outbox',
  `INSERT INTO attempts (mail_id, tried_at, outcome, detail)
    SELECT mail_id, tried_at, outcome, detail FROM present.attempts ORDER BY id`,
  'INSERT OR REPLACE INTO receipts SELECT * FROM present.receipts',
  'INSERT OR REPLACE INTO hits SELECT * FROM present.hits',
  `INSERT INTO audit (noted_at, action, subject) SELECT noted_at, action, subject
    FROM present.audit WHERE subject NOT IN (SELECT subject FROM audit)`,
  'INSERT OR REPLACE INTO errors SELECT * FROM present.errors',
]

function copyBackup(file: string, copy: string): void {
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size)
    throw new Error('it is a store in use or set aside, and its newest messages are in its -wal')
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 })
  copyFileSync(file, copy)
  chmodSync(copy, 0o600)
  using backup = new DatabaseSync(copy)
  const damage = findDamage(backup)
  if (damage.length > 0) throw new Error(`it is damaged: ${damage.join(', ')}`)
  const { user_version } = backup.prepare('PRAGMA user_version').get() ?? {}
  if (!user_version) throw new Error('it is no backup of an inbox')
}

/** Runs the work; false if the present store is damaged. */
async function tryToRead(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if ([...UNREADABLE, 'replaced'].includes(error.reason)) return false
    if (error.reason !== 'locked') throw error
    throw new Error('A site or another program uses the inbox: stop it first. Nothing was changed.')
  }
}

/** SQLite leaves its WAL only for the last connection, of any process or container. The lock lasts as long as this connection. */
function lockPresent(database: DatabaseSync, path: string): void {
  database.prepare('ATTACH ? AS present').run(path)
  database.exec(`PRAGMA present.journal_mode = DELETE; PRAGMA present.locking_mode = EXCLUSIVE;
    BEGIN EXCLUSIVE; COMMIT`)
  if (database.prepare('PRAGMA present.journal_mode').get()?.journal_mode !== 'delete')
    throw new StoreUnavailable('locked')
  if (findDamage(database, 'present').length > 0) throw new StoreUnavailable('damaged')
}

async function takeOver(db: Database, given: Given): Promise<number> {
  const { retentionDays, quarantineDays } = given.periods
  const added = await db.change(ADD_MESSAGES)
  for (const sql of BRING_FORWARD) await db.change(sql)
  // Retention has erased these after the backup. Those that have not expired now, because its clock was wrong, come back.
  const hasGone = `${IS_EXPIRED} AND reference NOT IN (SELECT reference FROM present.messages)`
  await eraseWhere(db, hasGone, [db.now - quarantineDays * DAY_MS, db.now - retentionDays * DAY_MS])
  return added
}

/** Replaces the present store with the copy. If nothing was taken over from it, its files are renamed first. Returns their new name. */
function swap(database: DatabaseSync, copy: string, path: string, isTakenOver: boolean): string {
  const damage = findDamage(database)
  if (damage.length > 0) throw new Error(`The restored inbox is damaged: ${damage.join(', ')}`)
  database.exec('PRAGMA main.journal_mode = DELETE')
  sync(copy)
  const aside = `${path}.before-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`
  const rename = (from: string, to: string) => {
    for (const suffix of SUFFIXES)
      if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix)
  }
  try {
    // A WAL that stays would become that of the restored file.
    if (!isTakenOver) rename(path, aside)
    renameSync(copy, path)
  } catch (error) {
    rename(aside, path)
    throw error
  }
  sync(dirname(path))
  return aside
}

/** Goes back to a backup, with what came since then, but without what was erased. */
export async function restore(given: Given): Promise<string> {
  const { store, database: target, file, backup } = given
  if (target.kind !== 'sqlite')
    throw new Error('PostgreSQL goes back by `import FILE.jsonl`, which adds what the inbox lacks.')
  const { path } = target
  // A name of its own for each run: one that was killed may have left its copy.
  const copy = `${path}.restored-${process.pid}`
  const clear = () => {
    for (const suffix of SUFFIXES) rmSync(copy + suffix, { force: true })
  }
  let restored: Store | undefined
  try {
    try {
      copyBackup(file, copy)
    } catch (error) {
      throw new Error(`${file} cannot be restored: ${(error as Error).message}`)
    }
    // Creates a missing store, and migrates one of an earlier build.
    const canOpen = await tryToRead(() => store.transaction(() => {}))
    await store.close()
    restored = createStore({ kind: 'sqlite', path: copy }, { create: false })
    const { sqlite, transaction } = restored
    const isTakenOver =
      canOpen && (await tryToRead(async () => sqlite?.((database) => lockPresent(database, path))))
    const counts = await transaction(async (db) => {
      const added = isTakenOver ? await takeOver(db, given) : 0
      await readErasedLists(db, [backup.folder, dirname(file)])
      return { added, erased: (await eraseWhere(db, WAS_ERASED, [])).length }
    })
    const aside = await sqlite?.((database) => swap(database, copy, path, isTakenOver))
    const done = `The inbox is restored from ${file}.
Messages of the inbox before that the backup lacked, taken over: ${counts.added}
Messages of the backup that were erased since, left out: ${counts.erased}
`
    if (isTakenOver) return done
    return `${done}WARNING: the inbox before is damaged, so nothing was taken over from it. It is kept as ${aside}
and deleted after ${backup.days} days. To read it: DATABASE_URL=sqlite:${aside} and export --format jsonl, then import.
To go back to it: stop the site, and give its files the name ${basename(path)} again.
`
  } finally {
    await restored?.close()
    clear()
  }
}
