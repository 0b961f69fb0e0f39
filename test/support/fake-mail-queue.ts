import { findDigestDate } from '../../server/inbox/clock.ts'
import {
  InboxUnavailable,
  type Mail,
  type MailOutcome,
  type MailQueue,
  type Message,
  type Waiting,
} from '../../server/inbox/inbox.ts'
import { createStored } from './inbox.ts'

interface Row {
  message: Message
  queuedAt: number
  /** Undefined once the message is mailed or dead. */
  dueAt: number | undefined
  token?: string
  outcomes: MailOutcome[]
}

export const NOTHING: Waiting = {
  quarantined: [],
  dead: [],
  counts: { new: 0, mailed: 0, dead: 0, quarantined: 0, archived: 0, unread: 0 },
  held: 0,
  mailPerHour: 120,
}

export const createMessage = (change: Partial<Message> = {}) =>
  createStored({
    reference: 'RG-AAAAA-BBBBB',
    receivedAt: '2026-05-04T03:30:00.000Z',
    email: 'zoe@exemple.québec',
    message: 'Bonjour,\n\n\tune formation?',
    ...change,
  })

/** A mail queue in memory; uses the clock of Date. */
export class FakeMailQueue implements MailQueue {
  rows = new Map<string, Row>()
  digests = new Map<string, number>()
  waitingNow = NOTHING
  polls = 0
  requeued: string[] = []
  /** While true, every call rejects. */
  unavailable = false
  private tokens = 0

  add(reference: string, status: 'new' | 'dead' = 'new'): void {
    const now = Date.now()
    const message = createMessage({ reference, status })
    const dueAt = status === 'new' ? now : undefined
    this.rows.set(reference, { message, queuedAt: now, dueAt, outcomes: [] })
  }

  outcomesOf(reference: string): MailOutcome[] {
    return this.rows.get(reference)?.outcomes ?? []
  }

  /** References by the kind of their last outcome. */
  listBy(kind: MailOutcome['kind']): string[] {
    return [...this.rows.values()]
      .filter(({ outcomes }) => outcomes.at(-1)?.kind === kind)
      .map(({ message }) => message.reference)
  }

  async lease({ limit, leaseMs }: { limit: number; leaseMs: number }): Promise<Mail[]> {
    this.check()
    this.polls += 1
    const due = [...this.rows.values()].filter((row) => Number(row.dueAt) <= Date.now())
    return due.slice(0, limit).map((row) => {
      this.tokens += 1
      row.token = String(this.tokens)
      row.dueAt = Date.now() + leaseMs
      const { message, queuedAt, token, outcomes } = row
      return { message, waitedMs: Date.now() - queuedAt, token, attempts: outcomes.length }
    })
  }

  async settle(mail: Pick<Mail, 'message' | 'token'>, outcome: MailOutcome): Promise<boolean> {
    this.check()
    const row = this.rows.get(mail.message.reference)
    if (!row || row.token !== mail.token) return false
    row.outcomes.push(outcome)
    row.token = undefined
    row.dueAt = outcome.kind === 'later' ? Date.now() + outcome.afterMs : undefined
    return true
  }

  async nextDueIn(): Promise<number | undefined> {
    this.check()
    const dues = [...this.rows.values()].flatMap(({ dueAt }) => dueAt ?? [])
    return dues.length > 0 ? Math.min(...dues) - Date.now() : undefined
  }

  async leaseDigest(leaseMs: number): Promise<string | undefined> {
    this.check()
    const date = findDigestDate(Date.now())
    if (date === undefined || (this.digests.get(date) ?? 0) > Date.now()) return undefined
    this.digests.set(date, Date.now() + leaseMs)
    return date
  }

  async confirmDigest(date: string): Promise<void> {
    this.check()
    this.digests.set(date, Number.POSITIVE_INFINITY)
  }

  async requeueDead({ limit, after = '' }: { limit: number; after?: string }): Promise<string[]> {
    this.check()
    const dead = [...this.rows].filter(
      ([reference, { message, dueAt }]) =>
        message.status === 'dead' && dueAt === undefined && reference > after,
    )
    for (const [, row] of dead.slice(0, limit)) row.dueAt = Date.now()
    const references = dead.slice(0, limit).map(([reference]) => reference)
    this.requeued.push(...references)
    return references
  }

  async waiting(): Promise<Waiting> {
    this.check()
    return this.waitingNow
  }

  private check(): void {
    if (this.unavailable) throw new InboxUnavailable('locked')
  }
}
