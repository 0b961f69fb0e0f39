import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findDamage } from './integrity.ts'

const FILE_FAULTS: Record<string, string> = {
  EEXIST: 'is there already; a backup never replaces a file',
  ENOENT: 'is not there',
  ENOTDIR: 'is not a folder',
  EACCES: 'cannot be written by this user',
  EPERM: 'cannot be written by this user',
  EROFS: 'is read-only',
  ENOSPC: 'has no space left for the copy',
  EDQUOT: 'has no space left for the copy',
}

// `VACUUM INTO` writes the copy only. https://www.sqlite.org/rescode.html
const COPY_FAULTS: Record<number, string> = {
  13: 'has no space left for the copy', // FULL
  14: 'cannot be written', // CANTOPEN
  778: 'did not take the whole copy: no space, or a fault of its disk', // IOERR_WRITE
}

/** A fault of the copy's place in words of its own: as it is, it would be taken for the inbox's. */
function explainTarget(error: unknown, path: string): unknown {
  if (!Error.isError(error)) return error
  const { code = '', errcode = 0, syscall } = error as NodeJS.ErrnoException & { errcode?: number }
  const fault = syscall ? (FILE_FAULTS[code] ?? `cannot be written: ${code}`) : COPY_FAULTS[errcode]
  return fault ? new Error(`${code === 'EEXIST' ? path : dirname(path)} ${fault}`) : error
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

function createFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
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

/** Gives the copy its name, or fails where a file has it: a plain rename would replace that file. */
function giveName(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path)
  } catch {
    renameWithoutLinks(unfinished, path)
  }
}

// FAT has no links. A process that is killed between the two calls leaves an empty file there.
function renameWithoutLinks(unfinished: string, path: string): void {
  createFile(path)
  try {
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

function copyInto(database: DatabaseSync, path: string): void {
  const unfinished = `${path}.${randomUUID()}.unfinished`
  createFile(unfinished)
  try {
    database.prepare('VACUUM INTO ?').run(unfinished)
    checkCopy(unfinished)
    sync(unfinished)
    giveName(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
  sync(dirname(path))
}

/**
 * Copies the database into a new private file while others go on writing. The file takes its name
 * only once it is whole, checked, and on the disk.
 */
export function backUp(database: DatabaseSync, path: string): void {
  if (existsSync(path)) throw new Error(`${path} ${FILE_FAULTS.EEXIST}`)
  try {
    copyInto(database, path)
  } catch (error) {
    throw explainTarget(error, path)
  }
}
