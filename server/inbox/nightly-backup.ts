import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '../log.ts'
import { HOUR_MS, toLocal } from './clock.ts'
import { deleteOld } from './files.ts'

/** The backup of a night is due at this hour, in Toronto. */
const BACKUP_HOUR = 2
const PREFIX = 'inbox-'
/** A .part file that was not written for so long was left by a process that was killed. */
const STALE_MS = 30 * 60_000
/** A wrong clock must not delete them all. */
const SPARED = 3
const CLI = join(import.meta.dirname, 'cli.ts')

export interface NightlyBackup {
  folder: string
  days: number
  kind: 'sqlite' | 'postgres'
  log: Pick<Logger, 'info' | 'error'>
  /** The environment of the inbox command; by default, that of this process. */
  env?: NodeJS.ProcessEnv
}

/** The file of the last night: `inbox-2026-05-04.sqlite`, or an export, `.jsonl`. */
export function getBackupPath(
  { folder, kind }: Pick<NightlyBackup, 'folder' | 'kind'>,
  time: number,
): string {
  const night = toLocal(time).subtract({ hours: BACKUP_HOUR }).toPlainDate()
  return join(folder, `${PREFIX}${night}.${kind === 'sqlite' ? 'sqlite' : 'jsonl'}`)
}

/** True while a process writes a backup. Deletes what a killed one has left, because it holds messages. */
function isBeingMade(folder: string): boolean {
  const names = readdirSync(folder).filter((name) => /^inbox-.*\.part$/.test(name))
  for (const path of names.map((name) => join(folder, name))) {
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (Math.abs(Date.now() - mtimeMs) < STALE_MS) return true
    rmSync(path, { force: true })
  }
  return false
}

/** Makes the backup of the night, if no process has. The inbox command does it, as a process of its own. Never rejects. */
export async function backUpTonight(options: NightlyBackup, signal?: AbortSignal): Promise<void> {
  const { folder, days, log, env } = options
  const file = getBackupPath(options, Date.now())
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (existsSync(file) || isBeingMade(folder)) return
    await promisify(execFile)(process.execPath, [CLI, 'backup', file], { signal, env })
    log.info({ file }, 'backup made')
  } catch (error) {
    // Another process may have been a moment earlier.
    if (signal?.aborted || existsSync(file) || existsSync(`${file}.part`)) return
    const { stderr, code } = error as { stderr?: string; code?: string }
    const detail = stderr?.trim() || code
    log.error({ file, detail }, 'backup failed; it is tried again in an hour')
    return
  }
  try {
    deleteOld(folder, PREFIX, days, SPARED)
  } catch (error) {
    const { code } = error as { code?: string }
    log.error({ folder, detail: code }, 'old backups were not deleted; delete them by hand')
  }
}

/** At the start and then every hour. */
export function startNightlyBackup(options: NightlyBackup) {
  const stopping = new AbortController()
  const backUp = () => void backUpTonight(options, stopping.signal)
  backUp()
  const timer = setInterval(backUp, HOUR_MS).unref()
  return {
    stop() {
      clearInterval(timer)
      stopping.abort()
    },
  }
}
