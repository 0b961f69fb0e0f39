import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './driver.ts'
import { sync } from './files.ts'
import { REFERENCE_PATTERN } from './message.ts'
import type { Store } from './store.ts'

// The references of erased messages are in the inbox and, for the case that the inbox is lost, in a file beside the backups.

const getPath = (folder: string) => join(folder, 'erased')

export async function findErased(db: Database): Promise<Set<string>> {
  const sql = "SELECT subject FROM audit WHERE action = 'erase'"
  return new Set((await db.query<{ subject: string }>(sql)).map(({ subject }) => subject))
}

export async function noteErased(db: Database, references: Iterable<string>): Promise<void> {
  const note = "INSERT INTO audit (noted_at, action, subject) VALUES ($1, 'erase', $2)"
  for (const reference of references) await db.change(note, [db.now, reference])
}

function readList(folder: string): Set<string> {
  const path = getPath(folder)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return new Set(lines.filter((line) => REFERENCE_PATTERN.test(line)))
}

/** Appends the erased references that the file in the backup folder does not have. */
export async function writeErasedList(store: Store, folder?: string): Promise<void> {
  if (!folder) return
  const erased = await store.transaction(findErased, { readOnly: true })
  const missing = erased.difference(readList(folder))
  if (missing.size === 0) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // A line break first: a kill may have cut off the last line.
  const lines = [...missing].map((reference) => `\n${reference}`).join('')
  appendFileSync(getPath(folder), lines, { mode: 0o600, flush: true })
  sync(folder)
}

/** Copies the references of the files in these folders into the inbox. */
export async function readErasedLists(db: Database, folders: (string | undefined)[]) {
  const listed = folders.flatMap((folder) => (folder ? [...readList(folder)] : []))
  await noteErased(db, new Set(listed).difference(await findErased(db)))
}
