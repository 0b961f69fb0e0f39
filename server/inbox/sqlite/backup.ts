import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperationRefused } from '../inbox-errors.ts'
import type { StoreFault } from '../session.ts'
import { setCounter } from './same-file.ts'

// These errors concern the copy, because `VACUUM INTO` writes nothing else. https://www.sqlite.org/rescode.html
const COPY_ERRORS: Record<number, string> = {
  13: 'ENOSPC', // FULL
  14: 'EACCES', // CANTOPEN
  778: 'EIO', // IOERR_WRITE
}

/** Turns a file system error of the copy into OperationRefused; returns any other error unchanged. */
function explainTarget(error: unknown, path: string): unknown {
  if (!Error.isError(error)) return error
  const { code, errcode = 0, syscall } = error as NodeJS.ErrnoException & { errcode?: number }
  const known = syscall ? code : COPY_ERRORS[errcode]
  return known ? new OperationRefused(known, known === 'EEXIST' ? path : dirname(path)) : error
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

type FindFaults = (copy: DatabaseSync) => Promise<StoreFault[]>

/** Deletes what the site keeps for hours only, such as network addresses. True if the copy has no faults. */
async function prepare(path: string, findFaults: FindFaults): Promise<boolean> {
  using copy = new DatabaseSync(path)
  // Otherwise the deleted rows would stay in free pages of the copy, or in the disk blocks of its deleted journal.
  copy.exec(`PRAGMA secure_delete = ON; PRAGMA journal_mode = MEMORY;
    DELETE FROM receipts; DELETE FROM hits`)
  setCounter(copy)
  return (await findFaults(copy)).length === 0
}

/** Renames the copy only after checking it and flushing it to the disk. */
export async function backUp(database: DatabaseSync, path: string, findFaults: FindFaults) {
  if (existsSync(path)) throw new OperationRefused('EEXIST', path)
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    closeSync(openSync(unfinished, 'wx', 0o600))
    try {
      database.prepare('VACUUM INTO ?').run(unfinished)
      if (!(await prepare(unfinished, findFaults))) throw new OperationRefused('UNSOUND', path)
      sync(unfinished)
      renameSync(unfinished, path)
    } finally {
      rmSync(unfinished, { force: true })
    }
    sync(dirname(path))
  } catch (error) {
    throw explainTarget(error, path)
  }
}
