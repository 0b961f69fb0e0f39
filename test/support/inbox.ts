import type { DatabaseTarget } from '../../server/config.ts'
import { runCli } from '../../server/inbox/cli.ts'
import type { Message, NewMessage } from '../../server/inbox/message.ts'
import type { Store } from '../../server/inbox/store.ts'
import { mapFields } from '../../shared/contact-fields.ts'

export { NOON } from '../../tools/harness/client.ts'

export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS
export const PERIODS = { retentionDays: 730, quarantineDays: 30 }

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
    network: '203.0.113.7',
    ...change,
  }
}

/** A message as a store returns it. */
export function createStored(change: Partial<Message> = {}): Message {
  const { network: _, ...content } = createMessage()
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

interface InboxOptions {
  open: (create: boolean) => Store
  database: DatabaseTarget
  /** Of the backups. */
  folder?: string
}

/** Runs the inbox command; resolves to its exit status and all that it prints. It closes the store. */
export async function runInbox(
  { open, database, folder }: InboxOptions,
  ...args: string[]
): Promise<[status: number, text: string]> {
  const texts: string[] = []
  const write = (text: string) => void texts.push(text)
  const status = await runCli(args, {
    open: (create) => ({
      store: open(create),
      database,
      periods: PERIODS,
      backup: { folder, days: 14 },
    }),
    write,
    writeError: write,
  })
  return [status, texts.join('')]
}
