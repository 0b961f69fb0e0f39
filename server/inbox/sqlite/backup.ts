import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperationRefused, type RefusalCode } from '../inbox.ts'
import type { StoreFault } from '../session.ts'

const TEXTS: Partial<Record<RefusalCode, string>> = {
  'file-exists': 'is there already; a backup never replaces a file',
  'folder-missing': 'is not there',
  'not-a-folder': 'is not a folder',
  'no-permission': 'cannot be written by this user',
  'read-only': 'is read-only',
  'no-space': 'has no space left for the copy',
  'not-writable': 'cannot be written',
  'copy-cut-short': 'did not take the whole copy: no space, or a fault of its disk',
}

const FILE_REFUSALS: Record<string, RefusalCode> = {
  EEXIST: 'file-exists',
  ENOENT: 'folder-missing',
  ENOTDIR: 'not-a-folder',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'read-only',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
}

// `VACUUM INTO` writes the copy only. https://www.sqlite.org/rescode.html
const COPY_REFUSALS: Record<number, RefusalCode> = {
  13: 'no-space', // FULL
  14: 'not-writable', // CANTOPEN
  778: 'copy-cut-short', // IOERR_WRITE
}

function refuse(code: RefusalCode, path: string, detail = ''): OperationRefused {
  const subject = code === 'file-exists' ? path : dirname(path)
  return new OperationRefused(code, subject, `${subject} ${TEXTS[code]}${detail}`)
}

/** Turns a file system error of the copy into a refusal: otherwise it would count as an error of the inbox. */
function explainTarget(error: unknown, path: string): unknown {
  if (!Error.isError(error)) return error
  const { code = '', errcode = 0, syscall } = error as NodeJS.ErrnoException & { errcode?: number }
  if (syscall) {
    const known = FILE_REFUSALS[code]
    return known ? refuse(known, path) : refuse('not-writable', path, `: ${code}`)
  }
  const refusal = COPY_REFUSALS[errcode]
  return refusal ? refuse(refusal, path) : error
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

function createFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
}

type FindFaults = (copy: DatabaseSync) => Promise<StoreFault[]>

async function checkCopy(path: string, findFaults: FindFaults): Promise<void> {
  const copy = new DatabaseSync(path, { readOnly: true })
  try {
    const [fault] = await findFaults(copy)
    if (!fault) return
    const subject = `${fault.code} ${fault.subject}`
    throw new OperationRefused('copy-unsound', subject, `The copy is not sound: ${subject}`)
  } finally {
    copy.close()
  }
}

/** Renames the copy; fails if the name is in use, where rename() would replace the other file. */
function giveName(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path)
    return
  } catch {}
  // FAT has no hard links. A process killed between the two calls leaves an empty file.
  createFile(path)
  try {
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/**
 * Copies the database into a new private file while other processes write. The file gets
 * its name only once it is complete, checked and flushed to the disk.
 */
export async function backUp(
  database: DatabaseSync,
  path: string,
  findFaults: FindFaults,
): Promise<void> {
  if (existsSync(path)) throw refuse('file-exists', path)
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    createFile(unfinished)
    try {
      database.prepare('VACUUM INTO ?').run(unfinished)
      await checkCopy(unfinished, findFaults)
      sync(unfinished)
      giveName(unfinished, path)
    } finally {
      rmSync(unfinished, { force: true })
    }
    sync(dirname(path))
  } catch (error) {
    throw explainTarget(error, path)
  }
}
