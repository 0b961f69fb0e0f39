import type { Inbox, Message, NewMessage, Receipt } from '../../server/inbox/inbox.ts'
import { mapFields } from '../../shared/contact-fields.ts'

export { NOON } from '../../tools/harness/client.ts'

export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS
export const PERIODS = { retentionDays: 730, quarantineDays: 30 }

/** A deadline that no store misses, even on a busy machine. */
export const soon = () => Date.now() + 60_000

export function createMessage(change: Partial<NewMessage> = {}): NewMessage {
  return {
    ...mapFields(() => ''),
    firstName: 'Zoé',
    lastName: "O'Neil",
    email: 'zoe@exemple.ca',
    service: 'francophone',
    message: 'Bonjour, j’aimerais une formation.',
    trapped: [],
    language: 'fr',
    address: '203.0.113.7',
    ...change,
  }
}

/** A message as an inbox returns it. */
export function createStored(change: Partial<Message> = {}): Message {
  const { address: _, ...content } = createMessage()
  return {
    ...content,
    reference: 'RG-AAAAA-BBBBB',
    receivedAt: '2026-05-04T03:30:00.000Z',
    status: 'new',
    email: 'zoe@exemple.québec',
    message: 'Bonjour,\n\n\tune formation?',
    ...change,
  }
}

const NO_LIMIT = { limit: Number.MAX_SAFE_INTEGER, windowMs: HOUR_MS }

type Patient<Method> = Method extends (deadline: number, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : Method

/** An inbox whose calls have a deadline that no store misses. */
export type TestInbox = { [Name in keyof Inbox]: Patient<Inbox[Name]> } & {
  /** Submits a message without a limit on the number of messages. */
  keep(message: NewMessage, deadline?: number): Promise<Receipt>
  plain: Inbox
}

export function createTestInbox(inbox: Inbox): TestInbox {
  const operations: object = inbox
  const methods = Object.entries(operations).map(([name, method]) => [
    name,
    (...args: unknown[]) => method(soon(), ...args),
  ])
  return {
    ...Object.fromEntries(methods),
    plain: inbox,
    async keep(message, deadline = soon()) {
      const { receipt } = await inbox.submit(deadline, message, NO_LIMIT)
      if (!receipt) throw new Error('The message was refused')
      return receipt
    },
  }
}
