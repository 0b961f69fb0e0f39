import { HOUR_MS } from '../clock.ts'
import { MESSAGE_STATUSES, type MessageStatus } from '../message.ts'
import type { Session } from '../session.ts'

export async function countByStatus(session: Session): Promise<Record<MessageStatus, number>> {
  const rows = await session.query<{ status: string; number: number }>(
    'SELECT status, count(*) AS number FROM messages GROUP BY status',
  )
  return Object.fromEntries([
    ...MESSAGE_STATUSES.map((status) => [status, 0]),
    ...rows.map(({ status, number }) => [status, number]),
  ])
}

/**
 * Of each kind, the number of messages and how long the oldest has waited. Stays fast with many messages: reads only
 * waiting rows and the mails of the last hour.
 */
export async function measure(session: Session) {
  const rows = await session.query<{ status: MessageStatus; count: number; since: number }>(`
    SELECT status, count(*) AS count, CASE status
      WHEN 'new' THEN (
        SELECT min(queued_at) FROM outbox WHERE due_at IS NOT NULL AND reference IS NOT NULL
      ) ELSE min(received_at) END AS since
    FROM messages WHERE status IN ('new', 'quarantined', 'dead') GROUP BY status`)
  const toMeasure = ({ count, since } = { count: 0, since: session.now }) => ({
    count,
    waitedMs: Math.max(0, session.now - since),
  })
  const get = (status: MessageStatus) => toMeasure(rows.find((row) => row.status === status))
  const held = toMeasure(await findHeld(session))
  return { queued: get('new'), held, quarantined: get('quarantined'), dead: get('dead') }
}

/** Which rows of the outbox. MAIL_PER_HOUR is about messages: the daily letter neither counts nor waits. */
export const MAILS = { messages: 'reference IS NOT NULL', digests: 'reference IS NULL' }

async function findDue(session: Session, mails: keyof typeof MAILS) {
  const [row] = await session.query<{ due: number | null }>(
    `SELECT min(due_at) AS due FROM outbox WHERE due_at IS NOT NULL AND ${MAILS[mails]}`,
  )
  return row?.due ?? undefined
}

/** One statement, because a mail that is settled between two statements could count twice or not at all. */
export async function getQuota(session: Session) {
  const { now, mailPerHour } = session
  const [row] = await session.query<{
    sent: number
    leased: number
    sent_until: number | null
    leased_until: number | null
  }>(
    `SELECT * FROM (
      SELECT count(*) AS sent, min(tried_at) + $3 AS sent_until FROM attempts
      WHERE outcome = 'mailed' AND tried_at > $1
        AND EXISTS (SELECT 1 FROM outbox WHERE outbox.id = mail_id AND reference IS NOT NULL)
    ) AS sent_mails, (
      SELECT count(*) AS leased, min(due_at) AS leased_until FROM outbox
      WHERE token IS NOT NULL AND due_at > $2 AND reference IS NOT NULL
    ) AS leased_mails`,
    [now - HOUR_MS, now, HOUR_MS],
  )
  const { sent = 0, leased = 0, sent_until = null, leased_until = null } = row ?? {}
  return {
    /** Mails that MAIL_PER_HOUR still allows. */
    allowance: Math.max(0, mailPerHour - sent - leased),
    /** Time when the first counted mail no longer counts, in epoch ms. */
    freeAt: Math.min(sent_until ?? Infinity, leased_until ?? Infinity),
  }
}

/** Time until a message or the daily letter may be mailed, or its lease ends, in ms; undefined when the queue is empty. */
export async function nextDueIn(session: Session): Promise<number | undefined> {
  const messageDue = (await findDue(session, 'messages')) ?? Infinity
  const digestDue = (await findDue(session, 'digests')) ?? Infinity
  const { allowance, freeAt } = await getQuota(session)
  const due = Math.min(digestDue, Math.max(messageDue, allowance > 0 ? messageDue : freeAt))
  return due === Infinity ? undefined : due - session.now
}

/** Number of due mails that MAIL_PER_HOUR delays. If any, `since` is when the oldest was queued, in epoch ms. */
async function findHeld(session: Session) {
  const [row] = await session.query<{ due: number; since: number | null }>(
    `SELECT count(*) AS due, min(queued_at) AS since FROM outbox
    WHERE due_at <= $1 AND reference IS NOT NULL`,
    [session.now],
  )
  const { allowance } = await getQuota(session)
  const count = Math.max(0, (row?.due ?? 0) - allowance)
  const since = count > 0 ? row?.since : undefined
  return { count, since: since ?? session.now }
}
