import type { Message, MessageStatus } from './inbox.ts'

export interface Mail {
  message: Message
  /** Tries so far. */
  attempts: number
  /** Time from queueing, retry or release to the lease. */
  waitedMs: number
  /** Fences the lease: whoever comes with an older one has lost it. */
  token: string
}

export type MailOutcome =
  | { kind: 'mailed'; response: string }
  | { kind: 'later'; afterMs: number; error: string }
  | { kind: 'dead'; error: string }

/** A try to mail a message. */
export interface Attempt {
  /** ISO 8601, UTC. */
  triedAt: string
  outcome: MailOutcome['kind']
  /** What the other server said, or what went wrong; it may quote the message. */
  detail: string
}

/** What waits for a person. Times are ISO 8601, UTC; lists are oldest first and end after 50. */
export interface Waiting {
  quarantined: { reference: string; receivedAt: string; erasedAt: string }[]
  dead: { reference: string; receivedAt: string }[]
  /** New or mailed, and nobody has looked at them by `show`. */
  unread: { reference: string; receivedAt: string }[]
  /** However long the lists would be. */
  counts: Record<MessageStatus | 'unread', number>
  /** Epoch ms; absent when no mail waits. */
  oldestDueAt?: number
  /** Mails that are due and wait because MAIL_PER_HOUR is used up. */
  held: number
  mailPerHour: number
}

/**
 * Queue of mails, shared by all processes; each call is one transaction. Times pass as durations, because the
 * caller's clock may differ from the store's.
 */
export interface MailQueue {
  /**
   * Leases mails that are due, at most `limit`, and at most what the hour still allows; nobody else gets them
   * until the lease ends.
   */
  claim(options: { limit: number; leaseMs: number }, deadline: number): Promise<Mail[]>
  /** Notes what became of a mail, unless its lease was lost (false). Each try is kept as an attempt. */
  settle(
    mail: Pick<Mail, 'message' | 'token'>,
    outcome: MailOutcome,
    deadline: number,
  ): Promise<boolean>
  /** Time until the next mail may go, in ms; undefined when none waits. */
  nextDueIn(deadline: number): Promise<number | undefined>
  /**
   * Lets one caller send the daily digest: resolves to its date (YYYY-MM-DD) for the caller that may.
   * A lease that ends unconfirmed can be claimed again.
   */
  claimDigest(leaseMs: number, deadline: number): Promise<string | undefined>
  /** Notes that the digest went. */
  confirmDigest(date: string, deadline: number): Promise<void>
  waiting(deadline: number): Promise<Waiting>
}
