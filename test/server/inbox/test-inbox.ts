import type { Inbox, NewMessage, Receipt } from '../../../server/inbox/inbox.ts'
import { HOUR } from './messages.ts'

const NO_LIMIT = { limit: Number.MAX_SAFE_INTEGER, windowMs: HOUR }

export interface TestInbox extends Inbox {
  /** Submits a message for which there is always a place. */
  keep(message: NewMessage, deadline: number): Promise<Receipt>
}

export function createTestInbox(inbox: Inbox): TestInbox {
  return {
    ...inbox,
    async keep(message, deadline) {
      const { receipt } = await inbox.submit(message, NO_LIMIT, deadline)
      if (!receipt) throw new Error('There was no place for a message')
      return receipt
    },
  }
}
