import type { DatabaseSync } from 'node:sqlite'
import type { Operations } from '../operations.ts'

type StatusOperations = Pick<Operations, 'release' | 'retry' | 'retrySome' | 'archive' | 'markRead'>

/** What a person decides about a message. */
export function createStatusOperations(database: DatabaseSync): StatusOperations {
  const find = database.prepare(`
    SELECT status, due_at, token FROM messages JOIN outbox USING (reference) WHERE reference = ?`)
  const setStatus = database.prepare('UPDATE messages SET status = ? WHERE reference = ?')
  const queue = database.prepare(`
    UPDATE outbox SET due_at = :now, queued_at = :now, attempts = 0, token = NULL
    WHERE reference = :reference`)
  const dequeue = database.prepare(
    'UPDATE outbox SET due_at = NULL, token = NULL WHERE reference = ?',
  )
  const markRead = database.prepare(
    'UPDATE messages SET read_at = coalesce(read_at, ?) WHERE reference = ?',
  )
  const listToRetry = database.prepare(`
    SELECT reference FROM messages WHERE status = 'dead'
    UNION ALL SELECT reference FROM outbox WHERE due_at > :now AND token IS NULL LIMIT :limit`)

  function enqueue(reference: string, now: number): void {
    setStatus.run('new', reference)
    queue.run({ reference, now })
  }

  return {
    release(reference, now) {
      const found = find.get(reference)
      if (!found) return 'unknown'
      if (found.status !== 'quarantined') return 'not-quarantined'
      enqueue(reference, now)
      return 'released'
    },

    retry(reference, now) {
      const found = find.get(reference)
      if (!found) return 'unknown'
      const waits = found.status === 'new' && (found.token === null || Number(found.due_at) <= now)
      if (found.status !== 'dead' && !waits) return 'not-waiting'
      enqueue(reference, now)
      return 'retried'
    },

    retrySome(limit, now) {
      const rows = listToRetry.all({ now, limit })
      for (const { reference } of rows) enqueue(String(reference), now)
      return rows.length
    },

    archive(reference, now) {
      if (!find.get(reference)) return 'unknown'
      setStatus.run('archived', reference)
      markRead.run(now, reference)
      dequeue.run(reference)
      return 'archived'
    },

    markRead(reference, now) {
      markRead.run(now, reference)
    },
  }
}
