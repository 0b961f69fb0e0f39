import { findDigestDate } from '../../mail/local-time.ts'
import { MESSAGE_STATUSES } from '../inbox.ts'
import { countHeld } from '../mail-quota.ts'
import { CLOCK_TOLERANCE_MS, DAY, LONGEST_WAITING_LIST, toIso } from '../message-row.ts'
import type { Stats } from '../upkeep.ts'
import { findNextDue, getQuota } from './mail-operations.ts'
import type { PostgresOperations } from './operations.ts'
import type { Session } from './session.ts'

interface ItemRow {
  reference: string
  received_at: number
}

async function getCounts(session: Session): Promise<Stats['counts']> {
  const rows = await session.query<{ status: string; number: number }>(`
    SELECT status, count(*) AS number FROM messages GROUP BY status
    UNION ALL SELECT 'unread', count(*) FROM messages
      WHERE read_at IS NULL AND status IN ('new', 'mailed')`)
  return Object.fromEntries([
    ...MESSAGE_STATUSES.map((status) => [status, 0]),
    ...rows.map(({ status, number }) => [status, number]),
  ])
}

function listByStatus(session: Session, status: string): Promise<ItemRow[]> {
  return session.query<ItemRow>(
    `SELECT reference, received_at FROM messages WHERE status = $1
    ORDER BY received_at, reference LIMIT ${LONGEST_WAITING_LIST}`,
    [status],
  )
}

const toItem = ({ reference, received_at }: ItemRow) => ({
  reference,
  receivedAt: toIso(received_at),
})

const toMeasure = (count: number, since: number | null, now: number) => ({
  count,
  ...(since !== null && { waitedMs: Math.max(0, now - since) }),
})

async function measureHeld(session: Session, mailPerHour: number, now: number) {
  const [row] = await session.query<{ due: number; since: number | null }>(
    'SELECT count(*) AS due, min(queued_at) AS since FROM outbox WHERE due_at <= $1',
    [now],
  )
  const count = countHeld(await getQuota(session, now), mailPerHour, row?.due ?? 0)
  return toMeasure(count, count > 0 ? (row?.since ?? null) : null, now)
}

/** What is known of the inbox as a whole, and who may mail it. */
export const OVERVIEW_OPERATIONS: PostgresOperations<
  'claimDigest' | 'confirmDigest' | 'waiting' | 'stats' | 'measure'
> = {
  async claimDigest(session, leaseMs, now) {
    const date = findDigestDate(now)
    if (date === undefined) return undefined
    const until = now + leaseMs
    const claimed = await session.change(
      `INSERT INTO digests (date, leased_until) VALUES ($1, $2)
      ON CONFLICT (date) DO UPDATE SET leased_until = excluded.leased_until
      WHERE digests.confirmed_at IS NULL
        AND (digests.leased_until <= $3 OR digests.leased_until > $4)`,
      [date, until, now, until + CLOCK_TOLERANCE_MS],
    )
    return claimed === 1 ? date : undefined
  },

  async confirmDigest(session, date, now) {
    await session.change('UPDATE digests SET confirmed_at = $1 WHERE date = $2', [now, date])
  },

  async waiting(session, { quarantineDays, mailPerHour }, now) {
    const quarantined = await listByStatus(session, 'quarantined')
    const dead = await listByStatus(session, 'dead')
    const unread = await session.query<ItemRow>(`
      SELECT reference, received_at FROM messages
      WHERE read_at IS NULL AND status IN ('new', 'mailed')
      ORDER BY received_at, reference LIMIT ${LONGEST_WAITING_LIST}`)
    return {
      quarantined: quarantined.map((row) => ({
        ...toItem(row),
        erasedAt: toIso(row.received_at + quarantineDays * DAY),
      })),
      dead: dead.map(toItem),
      unread: unread.map(toItem),
      counts: await getCounts(session),
      oldestDueAt: await findNextDue(session),
      held: (await measureHeld(session, mailPerHour, now)).count,
      mailPerHour,
    }
  },

  async measure(session, mailPerHour, now) {
    const rows = await session.query<{ name: string; count: number; since: number | null }>(`
      SELECT 'queued' AS name, count(*), min(queued_at) AS since FROM outbox WHERE due_at IS NOT NULL
      UNION ALL SELECT each, count(reference), min(received_at)
      FROM unnest(ARRAY['quarantined', 'dead']) AS statuses (each)
      LEFT JOIN messages ON status = each GROUP BY each`)
    const find = (name: string) => {
      const { count = 0, since = null } = rows.find((row) => row.name === name) ?? {}
      return toMeasure(count, since, now)
    }
    const held = await measureHeld(session, mailPerHour, now)
    return { queued: find('queued'), held, quarantined: find('quarantined'), dead: find('dead') }
  },

  async stats(session) {
    const [rows] = await session.query<Stats['rows']>(`
      SELECT (SELECT count(*) FROM attempts) AS attempts, (SELECT count(*) FROM receipts) AS receipts,
        (SELECT count(*) FROM hits) AS hits, (SELECT count(*) FROM audit) AS audit`)
    const [range] = await session.query<{ oldest: number | null; newest: number; bytes: number }>(`
      SELECT min(received_at) AS oldest, max(received_at) AS newest,
        (SELECT sum(pg_total_relation_size(name::regclass))::bigint FROM unnest(ARRAY['messages',
          'outbox', 'attempts', 'receipts', 'hits', 'audit', 'digests']) AS tables (name)) AS bytes
      FROM messages`)
    if (!rows || !range) throw new Error('An aggregate without a row')
    const { oldest, newest, bytes } = range
    return {
      counts: await getCounts(session),
      rows,
      ...(oldest !== null && { oldest: toIso(oldest), newest: toIso(newest) }),
      bytes,
    }
  },
}
