import { randomUUID } from 'node:crypto'
import { DAY_MS, getNextLetterTime } from './clock.ts'
import type { Database } from './driver.ts'
import { gatherLetter, type LetterFacts } from './letter-facts.ts'
import type { Message } from './message.ts'
import { selectMessage } from './messages.ts'
import type { Store } from './store.ts'

/** The mail of a message, or the daily letter. */
export type Mail = {
  /** Key in the outbox: the reference of the message, or `letter`. */
  id: string
  /** Number of failed tries, without those that failed because our settings were wrong. */
  attempts: number
  /** `settleMail` accepts only the token of the newest lease. */
  token: string
} & ({ message: Message; letter?: never } | { letter: LetterFacts; message?: never })

export type MailOutcome =
  | { kind: 'mailed'; response: string }
  /** `dead`: given up, and from now on tried once a day. `misconfigured`: our settings are wrong, so the try does not count. */
  | { kind: 'later' | 'dead' | 'misconfigured'; afterMs: number; error: string }

export interface LeasePace {
  leaseMs: number
  /** While more than `many` mails are due, there is this much time between two of them. */
  spacingMs: number
  many: number
}

/** No mail is due later than this, unless the clock was wrong. */
const MAX_DELAY_MS = 2 * DAY_MS
/** More of a mail server's reply says nothing new. */
const MAX_DETAIL_LENGTH = 500

/** True if a message may be mailed now: many due mails leave one by one, from all processes together. */
async function mayMail(db: Database, { spacingMs, many }: LeasePace): Promise<boolean> {
  const [row] = await db.query<{ due: number; leased: number; last: number | null }>(
    `SELECT count(*) AS due,
      (SELECT count(*) FROM outbox WHERE token IS NOT NULL AND due_at > $1) AS leased,
      (SELECT max(tried_at) FROM attempts) AS last
    FROM outbox WHERE due_at <= $1 AND reference IS NOT NULL`,
    [db.now],
  )
  if (!row || row.due <= many) return true
  return row.leased === 0 && Math.abs(db.now - (row.last ?? 0)) >= spacingMs
}

/** Leases the mail that is due first, the daily letter before messages. No other call leases it before the lease ends. */
export function leaseMail(store: Store, pace: LeasePace): Promise<Mail | undefined> {
  return store.transaction(async (db) => {
    const { now } = db
    await db.lock('lease')
    await db.change(
      `INSERT INTO outbox (id, due_at, queued_at, attempts) VALUES ('letter', $1, 0, 0)
      ON CONFLICT (id) DO NOTHING`,
      [getNextLetterTime(now)],
    )
    const token = randomUUID()
    const [leased] = await db.query<Pick<Mail, 'id' | 'attempts'>>(
      `UPDATE outbox SET due_at = $1, token = $2 WHERE id = (
        SELECT id FROM outbox WHERE (due_at <= $3 OR due_at > $4)
          ${(await mayMail(db, pace)) ? '' : "AND id = 'letter'"}
        ORDER BY reference IS NULL DESC, due_at, queued_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING id, attempts`,
      [now + pace.leaseMs, token, now, now + MAX_DELAY_MS],
    )
    if (!leased) return undefined
    const message = await selectMessage(db, leased.id)
    if (message) return { ...leased, token, message }
    return { ...leased, token, letter: await gatherLetter(db) }
  })
}

/** Records the outcome of a mail. Returns false, and records nothing, if the lease was lost. */
export function settleMail(store: Store, mail: Mail, outcome: MailOutcome): Promise<boolean> {
  return store.transaction(async (db) => {
    const { kind } = outcome
    const nextDue = mail.letter ? getNextLetterTime(db.now) : null
    const due = kind === 'mailed' ? nextDue : db.now + outcome.afterMs
    const attempts = mail.attempts + (kind === 'misconfigured' ? 0 : 1)
    const settled = await db.change(
      'UPDATE outbox SET due_at = $1, token = NULL, attempts = $2 WHERE id = $3 AND token = $4',
      [due, attempts, mail.id, mail.token],
    )
    if (settled === 0) return false
    if (mail.message) await settleMessage(db, mail.id, outcome)
    else if (kind === 'mailed') await settleLetter(db, mail.letter)
    return true
  })
}

async function settleMessage(db: Database, id: string, outcome: MailOutcome): Promise<void> {
  const { kind } = outcome
  const answer = kind === 'mailed' ? outcome.response : outcome.error
  // PostgreSQL refuses NUL.
  const detail = answer.replaceAll('\0', '').slice(0, MAX_DETAIL_LENGTH)
  const sql = 'INSERT INTO attempts (mail_id, tried_at, outcome, detail) VALUES ($1, $2, $3, $4)'
  await db.change(sql, [id, db.now, kind, detail])
  if (kind === 'mailed' || kind === 'dead') {
    await db.change('UPDATE messages SET status = $1 WHERE reference = $2', [kind, id])
  }
}

async function settleLetter(db: Database, { until, errorDays }: LetterFacts): Promise<void> {
  await db.change("UPDATE outbox SET queued_at = $1, attempts = 0 WHERE id = 'letter'", [until])
  // Errors that came while the letter was sent are for the next one.
  const report = 'UPDATE errors SET reported = $1 WHERE day = $2 AND place = $3'
  for (const { day, place, number } of errorDays) await db.change(report, [number, day, place])
}
