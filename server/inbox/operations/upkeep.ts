import { getReferences, hashContent, type MessageRow, type ReferenceRow } from '../message-row.ts'
import type { Scrubbing, Session, StoreFault } from '../session.ts'

const MAX_FAULTS_PER_CODE = 100

/** Each query returns the references of inconsistent rows. */
const CONTRADICTIONS: [StoreFault['code'], sql: string][] = [
  [
    'no-outbox-row',
    `SELECT reference FROM messages
    WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.reference = messages.reference)`,
  ],
  [
    'no-message',
    `SELECT reference FROM outbox
    WHERE NOT EXISTS (SELECT 1 FROM messages WHERE messages.reference = outbox.reference)`,
  ],
  [
    'new-not-queued',
    `SELECT reference FROM messages JOIN outbox USING (reference)
    WHERE status = 'new' AND due_at IS NULL`,
  ],
  [
    'queued-not-new',
    `SELECT reference FROM messages JOIN outbox USING (reference)
    WHERE status <> 'new' AND due_at IS NOT NULL`,
  ],
]

export function probe(session: Session): Promise<void> {
  return session.probe()
}

export async function findFaults(session: Session): Promise<StoreFault[]> {
  const faults = await session.findDamage()
  for (const [code, sql] of CONTRADICTIONS) {
    const rows = await session.query<ReferenceRow>(`${sql} LIMIT ${MAX_FAULTS_PER_CODE}`)
    faults.push(...getReferences(rows).map((subject) => ({ code, subject })))
  }
  return faults
}

/** Compares messages, in the order of their references, with the hashes of their content. */
export async function checkHashes(
  session: Session,
  { limit, after = '' }: { limit: number; after?: string },
): Promise<{ checked: string[]; broken: string[] }> {
  const sql = 'SELECT * FROM messages WHERE reference > $1 ORDER BY reference LIMIT $2'
  const rows = await session.query<MessageRow>(sql, [after, limit])
  const broken = rows.filter((row) => hashContent(row) !== row.content_hash)
  return { checked: getReferences(rows), broken: getReferences(broken) }
}

/**
 * Removes erased text from the write-ahead log. `rewrite` also rewrites the whole file, because SQLite's
 * secure_delete misses old copies in split pages. This locks the store for seconds for each GB.
 */
export function scrub(session: Session, rewrite: boolean): Promise<Scrubbing> {
  return session.scrub(rewrite)
}

/** Copies the store to a new file while the site runs. Not for PostgreSQL, which has pg_dump. */
export function backup(session: Session, path: string): Promise<void> {
  return session.backUp(path)
}
