import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { company, findPlaceholders } from '../../shared/content/company.ts'
import type { Config } from '../config.ts'
import { getBackupPath } from '../inbox/nightly-backup.ts'

/** Problems of the site that the daily letter reports to the operator. */
export interface Conditions {
  isBackupMissing: boolean
  /** Use of the fullest disk in percent; set only above MAX_DISK_PERCENT. */
  diskPercent?: number
  /** Number of facts about the firm that a public site must not show. */
  placeholders: number
}

const MAX_DISK_PERCENT = 90

/** As `df` counts it. */
function getUsedPercent(folder: string): number {
  const { blocks, bfree, bavail } = statfsSync(folder)
  const used = blocks - bfree
  return Math.ceil((100 * used) / (used + bavail))
}

export function findConditions(
  { database, backup: { folder }, https }: Pick<Config, 'database' | 'backup' | 'https'>,
  time: number,
  getPercent = getUsedPercent,
): Conditions {
  const { kind } = database
  const store = kind === 'sqlite' ? dirname(database.path) : undefined
  const folders = [store, folder].filter((each) => each && existsSync(each)) as string[]
  const diskPercent = Math.max(0, ...folders.map(getPercent))
  return {
    isBackupMissing:
      Boolean(folder) && !existsSync(getBackupPath({ folder: folder ?? '', kind }, time)),
    ...(diskPercent > MAX_DISK_PERCENT && { diskPercent }),
    placeholders: https ? findPlaceholders(company).length : 0,
  }
}
