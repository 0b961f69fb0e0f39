import { randomUUID } from 'node:crypto'
import type { Message } from '../message.ts'
import { toStorable } from '../message-row.ts'
import type { Session } from '../session.ts'
import { type Digest, gatherDigest, requeueDead } from './digest.ts'
import { find } from './messages.ts'
import { getQuota, MAILS } from './waiting.ts'

interface Lease {
  /** Key in the outbox: the reference of the message, or the date (YYYY-MM-DD) of the daily letter. */
  id: string
  /** Number of tries since the last `retry`, without those that failed because our settings were wrong. */
  attempts: number
  /** Fencing token: `settle` accepts only the token of the newest lease. */
  token: string
}

/** The mail of a message, or a daily letter. */
export type Mail = Lease &
  ({ message: Message; digest?: never } | { digest: Digest; message?: never })

export type MailOutcome =
  | { kind: 'mailed'; response: string }
  /** `refused`: permanently, by the mail server; is tried again too, a daily letter then without texts. `misconfigured`: our
   * settings are wrong, so the try does not count. */
  | { kind: 'later' | 'refused' | 'misconfigured'; afterMs: number; error: string }
  | { kind: 'dead'; error: string }

export interface Attempt {
  tried_at: number
  outcome: MailOutcome['kind']
  /** The mail server's response, or the error. Both may quote the visitor's message. */
  detail: string
}

/** The due time becomes the end of the lease, so no other call leases the mail earlier. */
export async function lease(
  session: Session,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<Mail[]> {
  const { now } = session
  const leaseEnd = now + leaseMs
  // Without this lock, two processes that count at the same time could exceed MAIL_PER_HOUR.
  await session.lock('mail quota')
  const token = randomUUID()
  const receivedAt = '(SELECT received_at FROM messages WHERE reference = outbox.reference)'
  const leaseSome = (mails: keyof typeof MAILS, most: number) =>
    session.query<Pick<Lease, 'id' | 'attempts'> & { received_at: number }>(
      `WITH due AS (
        SELECT id FROM outbox WHERE due_at <= $1 AND ${MAILS[mails]}
        ORDER BY due_at, ${receivedAt}
        LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      UPDATE outbox SET due_at = $3, token = $4 WHERE id IN (SELECT id FROM due)
      RETURNING id, attempts, ${receivedAt} AS received_at`,
      [now, most, leaseEnd, token],
    )
  const { allowance } = await getQuota(session)
  const digests = await leaseSome('digests', limit)
  const messages = await leaseSome('messages', Math.min(limit - digests.length, allowance))
  const mails: Mail[] = []
  for (const { id, attempts } of digests) {
    mails.push({ id, attempts, token, digest: await gatherDigest(session, id) })
  }
  // RETURNING keeps no order.
  for (const { id, attempts } of messages.sort((a, b) => a.received_at - b.received_at)) {
    const message = await find(session, id)
    if (message) mails.push({ id, attempts, token, message })
  }
  return mails
}

/** Call this before you lock the message's outbox row: one order for all prevents deadlocks. */
export async function lockMessage(session: Session, reference: string): Promise<void> {
  await session.query('SELECT 1 FROM messages WHERE reference = $1 FOR UPDATE', [reference])
}

/** Records the outcome of a mail as an attempt. Returns false, and records nothing, if the lease was lost. */
export async function settle(
  session: Session,
  { id, token }: Pick<Mail, 'id' | 'token'>,
  outcome: MailOutcome,
): Promise<boolean> {
  const { now } = session
  const { kind } = outcome
  const due = 'afterMs' in outcome ? now + outcome.afterMs : null
  await lockMessage(session, id)
  const [settled] = await session.query<{ reference: string | null }>(
    `UPDATE outbox SET due_at = $1, token = NULL, attempts = attempts + $4
    WHERE id = $2 AND token = $3 RETURNING reference`,
    [due, id, token, kind === 'misconfigured' ? 0 : 1],
  )
  if (!settled) return false
  const isDigest = settled.reference === null
  const answer = kind === 'mailed' ? outcome.response : outcome.error
  await session.change(
    'INSERT INTO attempts (mail_id, tried_at, outcome, detail) VALUES ($1, $2, $3, $4)',
    // Do not keep the answer to a daily letter: it may quote messages, and its row outlives them.
    [id, now, kind, isDigest ? '' : toStorable(answer)],
  )
  // Without another try, `kind` is `mailed` or `dead`, which are also statuses.
  if (due === null && !isDigest) {
    await session.change('UPDATE messages SET status = $1 WHERE reference = $2', [kind, id])
  }
  if (isDigest && kind === 'mailed') await requeueDead(session)
  return true
}

export async function findLastAttempt(session: Session, reference: string) {
  const [row] = await session.query<Attempt>(
    'SELECT tried_at, outcome, detail FROM attempts WHERE mail_id = $1 ORDER BY id DESC LIMIT 1',
    [reference],
  )
  return row
}
