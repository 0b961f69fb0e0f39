import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSqliteInbox, type SqliteInboxOptions } from '../../../server/inbox/create-inbox.ts'
import type { Place } from './inbox-suite.ts'
import { createTestInbox, type TestInbox } from './test-inbox.ts'

export interface SqlitePlace extends Place {
  folder: string
  path: string
  open(options?: Partial<SqliteInboxOptions>): TestInbox
}

/** A store in a temporary folder; the folder of the database does not exist yet. */
export function createSqlitePlace(): SqlitePlace {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
  const path = join(folder, 'data', 'inbox.sqlite')
  const inboxes: TestInbox[] = []
  return {
    folder,
    path,
    open(options) {
      const inbox = createTestInbox(createSqliteInbox({ path, ...options }))
      inboxes.push(inbox)
      return inbox
    },
    async lock() {
      const foreigner = new DatabaseSync(path)
      foreigner.exec('BEGIN IMMEDIATE')
      return async () => foreigner.close()
    },
    async tamper(sql) {
      const foreigner = new DatabaseSync(path)
      foreigner.exec(sql)
      foreigner.close()
    },
    async read(sql) {
      const foreigner = new DatabaseSync(path)
      const rows = foreigner.prepare(sql).all()
      foreigner.close()
      return rows
    },
    scrubbing: 'scrubbed',
    async close() {
      await Promise.all(inboxes.map((inbox) => inbox.close()))
      rmSync(folder, { recursive: true })
    },
  }
}
