import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findDamage } from './damage.ts'

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

function checkCopy(path: string): void {
  const copy = new DatabaseSync(path, { readOnly: true })
  try {
    const [fault] = findDamage(copy)
    if (fault) throw new Error(`The copy is not sound: ${fault}`)
  } finally {
    copy.close()
  }
}

/**
 * Copies the database into a new private file while others go on writing. The file takes its name
 * only once it is whole, checked, and on the disk.
 */
export function backUp(database: DatabaseSync, path: string): void {
  if (existsSync(path)) throw new Error(`${path} is there already; a backup never replaces a file`)
  const unfinished = `${path}.unfinished`
  rmSync(unfinished, { force: true })
  closeSync(openSync(unfinished, 'ax', 0o600))
  try {
    chmodSync(unfinished, 0o600)
    database.prepare('VACUUM INTO ?').run(unfinished)
    checkCopy(unfinished)
    sync(unfinished)
    // Unlike a rename, a link refuses to replace what has come there meanwhile.
    linkSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
  sync(dirname(path))
}
