import { MESSAGE_STATUSES, type MessageStatus } from '../message.ts'
import type { Session } from '../session.ts'
import { findHeld, findNextDue } from './mail-quota.ts'

export interface Waiting {
  counts: Record<MessageStatus, number>
  /** Time of the next try that MAIL_PER_HOUR allows, in epoch ms; absent when the queue is empty. */
  oldestDueAt?: number
  /** Number of due mails that MAIL_PER_HOUR delays. */
  held: number
  mailPerHour: number
}

/** Number of messages, and how long the oldest has waited; `waitedMs` is absent without messages. */
export type Measures = Record<
  'queued' | 'held' | 'quarantined' | 'dead',
  { count: number; waitedMs?: number }
>

async function getCounts(session: Session): Promise<Waiting['counts']> {
  const rows = await session.query<{ status: string; number: number }>(
    'SELECT status, count(*) AS number FROM messages GROUP BY status',
  )
  return Object.fromEntries([
    ...MESSAGE_STATUSES.map((status) => [status, 0]),
    ...rows.map(({ status, number }) => [status, number]),
  ])
}

export async function waiting(session: Session): Promise<Waiting> {
  return {
    counts: await getCounts(session),
    oldestDueAt: await findNextDue(session),
    held: (await findHeld(session)).count,
    mailPerHour: session.mailPerHour,
  }
}

/** Stays fast with many messages: reads only waiting rows and the mails of the last hour. */
export async function measure(session: Session): Promise<Measures> {
  type Row = { status: MessageStatus; count: number; since: number | null }
  const rows = await session.query<Row>(`
    SELECT status, count(*) AS count, min(received_at) AS since FROM messages
    WHERE status IN ('new', 'quarantined', 'dead') GROUP BY status`)
  const toMeasure = ({ count, since }: Omit<Row, 'status'>) => ({
    count,
    ...(since !== null && { waitedMs: Math.max(0, session.now - since) }),
  })
  const get = (status: MessageStatus) =>
    toMeasure(rows.find((row) => row.status === status) ?? { count: 0, since: null })
  const held = toMeasure(await findHeld(session))
  return { queued: get('new'), held, quarantined: get('quarantined'), dead: get('dead') }
}
