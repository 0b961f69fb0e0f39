import { HOUR_MS } from '../clock.ts'
import type { Session } from '../session.ts'

/** MAIL_PER_HOUR is about messages: the daily letter neither counts nor waits. */
async function findDue(session: Session, reference: 'IS NULL' | 'IS NOT NULL') {
  const [row] = await session.query<{ due: number | null }>(
    `SELECT min(due_at) AS due FROM outbox WHERE due_at IS NOT NULL AND reference ${reference}`,
  )
  return row?.due ?? undefined
}

/** One statement counts sent and leased mails, because a mail settled between two statements could count twice. */
export async function getQuota(session: Session) {
  const { now, mailPerHour } = session
  const [row] = await session.query<{
    sent: number
    leased: number
    sent_since: number | null
    leased_until: number | null
  }>(
    `SELECT * FROM (
      SELECT count(*) AS sent, min(tried_at) AS sent_since FROM attempts
      WHERE outcome = 'mailed' AND tried_at > $1
        AND EXISTS (SELECT 1 FROM outbox WHERE outbox.id = mail_id AND reference IS NOT NULL)
    ) AS sent_mails, (
      SELECT count(*) AS leased, min(due_at) AS leased_until FROM outbox
      WHERE token IS NOT NULL AND due_at > $2 AND reference IS NOT NULL
    ) AS leased_mails`,
    [now - HOUR_MS, now],
  )
  const { sent = 0, leased = 0, sent_since = null, leased_until = null } = row ?? {}
  const ends = [sent_since === null ? null : sent_since + HOUR_MS, leased_until]
  const known = ends.filter((end) => end !== null)
  return {
    /** Mails that MAIL_PER_HOUR still allows. */
    allowance: Math.max(0, mailPerHour - sent - leased),
    /** Time when the first counted mail no longer counts, in epoch ms. */
    freeAt: known.length > 0 ? Math.min(...known) : undefined,
  }
}

/** When the mail of the next message may be sent, or its lease ends, in epoch ms; undefined when none waits. */
export async function findNextDue(session: Session): Promise<number | undefined> {
  const due = await findDue(session, 'IS NOT NULL')
  if (due === undefined) return undefined
  const { allowance, freeAt = due } = await getQuota(session)
  return allowance > 0 ? due : Math.max(due, freeAt)
}

/** Time until a message or the daily letter may be mailed, in ms; undefined when the queue is empty. */
export async function nextDueIn(session: Session): Promise<number | undefined> {
  const times = [await findNextDue(session), await findDue(session, 'IS NULL')]
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? Math.min(...known) - session.now : undefined
}

/** Number of due mails that MAIL_PER_HOUR delays; `since` is when the oldest due mail was queued, in epoch ms. */
export async function findHeld(session: Session): Promise<{ count: number; since: number | null }> {
  const [row] = await session.query<{ due: number; since: number | null }>(
    `SELECT count(*) AS due, min(queued_at) AS since FROM outbox
    WHERE due_at <= $1 AND reference IS NOT NULL`,
    [session.now],
  )
  const { allowance } = await getQuota(session)
  const count = Math.max(0, (row?.due ?? 0) - allowance)
  return { count, since: count > 0 ? (row?.since ?? null) : null }
}
