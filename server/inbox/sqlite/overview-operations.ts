import type { DatabaseSync } from 'node:sqlite'
import { findDigestDate } from '../../mail/local-time.ts'
import { MESSAGE_STATUSES } from '../inbox.ts'
import { countHeld } from '../mail-quota.ts'
import { CLOCK_TOLERANCE_MS, DAY, LONGEST_WAITING_LIST, toIso } from '../message-row.ts'
import type { Operations } from '../operations.ts'
import { createGetQuota } from './mail-operations.ts'

type OverviewOperations = Pick<
  Operations,
  'claimDigest' | 'confirmDigest' | 'waiting' | 'stats' | 'measure'
>

/** What is known of the inbox as a whole, and who may mail it. */
export function createOverviewOperations(database: DatabaseSync): OverviewOperations {
  const leaseDigest = database.prepare(`
    INSERT INTO digests (date, leased_until) VALUES (:date, :until)
    ON CONFLICT (date) DO UPDATE SET leased_until = :until
    WHERE confirmed_at IS NULL AND (leased_until <= :now OR leased_until > :impossible)`)
  const confirmDigest = database.prepare('UPDATE digests SET confirmed_at = ? WHERE date = ?')
  const countByStatus = database.prepare(
    'SELECT status, count(*) AS number FROM messages GROUP BY status',
  )
  // The planner would look up every row that may have been read.
  const unread = `FROM messages INDEXED BY messages_unread
    WHERE read_at IS NULL AND status IN ('new', 'mailed')`
  const countUnread = database.prepare(`SELECT count(*) AS number ${unread}`)
  const listByStatus = database.prepare(`
    SELECT reference, received_at FROM messages
    WHERE status = ? ORDER BY received_at, reference LIMIT ${LONGEST_WAITING_LIST}`)
  const listUnread = database.prepare(`
    SELECT reference, received_at ${unread}
    ORDER BY received_at, reference LIMIT ${LONGEST_WAITING_LIST}`)
  const findOldestDue = database.prepare(
    'SELECT min(due_at) AS due FROM outbox WHERE due_at IS NOT NULL',
  )
  const getRange = database.prepare(`
    SELECT (SELECT min(received_at) FROM messages) AS oldest,
      (SELECT max(received_at) FROM messages) AS newest,
      page_count * page_size AS bytes
    FROM pragma_page_count, pragma_page_size`)
  const countRows = database.prepare(`
    SELECT (SELECT count(*) FROM attempts) AS attempts, (SELECT count(*) FROM receipts) AS receipts,
      (SELECT count(*) FROM hits) AS hits, (SELECT count(*) FROM audit) AS audit`)

  const getQuota = createGetQuota(database)
  const measureQueued = database.prepare(
    'SELECT count(*) AS count, min(queued_at) AS since FROM outbox WHERE due_at IS NOT NULL',
  )
  const countDue = database.prepare('SELECT count(*) AS due FROM outbox WHERE due_at <= ?')
  const findOldestQueued = database.prepare(
    'SELECT min(queued_at) AS since FROM outbox WHERE due_at <= ?',
  )
  const measureStatus = database.prepare(
    'SELECT count(*) AS count, min(received_at) AS since FROM messages WHERE status = ?',
  )

  const toMeasure = (now: number, { count, since }: Record<string, unknown> = {}) => ({
    count: Number(count),
    ...(since !== null && { waitedMs: Math.max(0, now - Number(since)) }),
  })

  function measureHeld(mailPerHour: number, now: number) {
    const count = countHeld(getQuota(now), mailPerHour, Number(countDue.get(now)?.due))
    return count > 0 ? toMeasure(now, { count, ...findOldestQueued.get(now) }) : { count }
  }

  function getCounts() {
    const found = countByStatus.all().map(({ status, number }) => [status, Number(number)])
    return {
      ...Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, 0])),
      ...Object.fromEntries(found),
      unread: Number(countUnread.get()?.number),
    }
  }

  const toItem = ({ reference, received_at }: Record<string, unknown>) => ({
    reference: String(reference),
    receivedAt: toIso(Number(received_at)),
  })

  return {
    claimDigest(leaseMs, now) {
      const date = findDigestDate(now)
      if (date === undefined) return undefined
      const until = now + leaseMs
      const impossible = until + CLOCK_TOLERANCE_MS
      return leaseDigest.run({ date, until, now, impossible }).changes === 1 ? date : undefined
    },

    confirmDigest(date, now) {
      confirmDigest.run(now, date)
    },

    waiting({ quarantineDays, mailPerHour }, now) {
      return {
        quarantined: listByStatus.all('quarantined').map((row) => ({
          ...toItem(row),
          erasedAt: toIso(Number(row.received_at) + quarantineDays * DAY),
        })),
        dead: listByStatus.all('dead').map(toItem),
        unread: listUnread.all().map(toItem),
        counts: getCounts(),
        oldestDueAt: (findOldestDue.get()?.due as number | null) ?? undefined,
        held: measureHeld(mailPerHour, now).count,
        mailPerHour,
      }
    },

    measure(mailPerHour, now) {
      return {
        queued: toMeasure(now, measureQueued.get()),
        held: measureHeld(mailPerHour, now),
        quarantined: toMeasure(now, measureStatus.get('quarantined')),
        dead: toMeasure(now, measureStatus.get('dead')),
      }
    },

    stats() {
      const { oldest, newest, bytes } = getRange.get() ?? {}
      return {
        counts: getCounts(),
        rows: { ...countRows.get() } as ReturnType<Operations['stats']>['rows'],
        ...(oldest !== null && { oldest: toIso(Number(oldest)), newest: toIso(Number(newest)) }),
        bytes: Number(bytes),
      }
    },
  }
}
