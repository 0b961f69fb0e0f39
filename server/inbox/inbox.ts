import type { Operations } from './operations/index.ts'

export type { Message, MessageStatus, NewMessage, Receipt } from './message.ts'
export type { Digest, PendingMessages } from './operations/digest.ts'
export type { Attempt, Mail, MailOutcome } from './operations/mail.ts'
export type { ListQuery } from './operations/messages.ts'

export type InboxState = 'opening' | 'open' | 'unavailable' | 'closed'

/** A write that rejects changed nothing; only after `crashed`, `disk-fault`, `replaced` or `unconfirmed` is its effect unknown. */
export type Inbox = Operations & {
  state(): InboxState
  /** Completes the calls in progress; later calls reject with `closed`. */
  close(): Promise<void>
}

/** The mail queue that all processes share. Due times are passed as delays, because the clocks of machines may differ. */
export type MailQueue = Pick<Inbox, 'queueDigest' | 'lease' | 'settle' | 'nextDueIn'>
