import type { Inbox, InboxMethods, NewMessage, Receipt } from '../../../server/inbox/inbox.ts'
import { HOUR, soon } from './messages.ts'

const NO_LIMIT = { limit: Number.MAX_SAFE_INTEGER, windowMs: HOUR }

export interface TestInbox extends Inbox {
  /** Submits a message without a limit. */
  keep(message: NewMessage, deadline: number): Promise<Receipt>
}

export function createTestInbox(inbox: Inbox): TestInbox {
  return {
    ...inbox,
    async keep(message, deadline) {
      const { receipt } = await inbox.submit(message, NO_LIMIT, deadline)
      if (!receipt) throw new Error('The message was refused')
      return receipt
    },
  }
}

type WithoutDeadline<Method> = Method extends (
  ...args: [...infer Args, deadline: number]
) => infer Result
  ? (...args: Args) => Result
  : never

export type PatientInbox = {
  [Name in keyof InboxMethods | 'keep']: WithoutDeadline<TestInbox[Name]>
}

/** The same inbox with a generous deadline for each call. */
export function createPatientInbox(inbox: TestInbox): PatientInbox {
  const methods = Object.entries(inbox).map(([name, method]) => [
    name,
    (...args: unknown[]) => method(...args, soon()),
  ])
  return Object.fromEntries(methods)
}
