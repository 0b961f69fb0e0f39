import { fill } from '../../../shared/format.ts'
import { inBatches, soon } from '../batches.ts'
import type { Inbox, ListQuery, Message } from '../inbox.ts'
import { REFERENCE_PATTERN } from '../message.ts'
import {
  BATCH_SIZE,
  type CommandContext,
  CommandFailure,
  noteReading,
  type Output,
} from './context.ts'
import { EXPORT_FORMATS } from './export-formats.ts'
import {
  escapeControls,
  formatEntry,
  formatListHeader,
  formatListLine,
  formatMessage,
} from './format.ts'

const LIST_LENGTH = 50

export const readBatches = (
  inbox: Pick<Inbox, 'list'>,
  query: Pick<ListQuery, 'order' | 'status' | 'email'>,
): AsyncGenerator<Message[]> =>
  inBatches(BATCH_SIZE, (deadline, batch) => inbox.list(deadline, { ...query, ...batch }))

/** For the audit table, which never has an address. */
const describeFilters = ({ status, email }: CommandContext) =>
  [status, email && 'by-email'].filter(Boolean).join(' ')

export async function* list(context: CommandContext): Output {
  const { inbox, words, status, email } = context
  await noteReading(context, 'list', describeFilters(context))
  const query = { order: 'newest-first', status, email, limit: LIST_LENGTH + 1 } as const
  const messages = await inbox.list(soon(), query)
  yield email && messages.length === 0
    ? `${fill(words.noMessageFrom, { email: escapeControls(email) })}\n`
    : formatListHeader(words)
  for (const message of messages.slice(0, LIST_LENGTH)) yield formatListLine(message, words)
  if (messages.length > LIST_LENGTH) yield `${words.moreMessages}\n`
}

export async function* show(context: CommandContext): Output {
  const { inbox, words, operand } = context
  // Anything else could be a visitor's text, such as an e-mail address.
  if (REFERENCE_PATTERN.test(operand)) await noteReading(context, 'show', operand)
  const message = await inbox.find(soon(), operand)
  if (!message) {
    throw new CommandFailure(fill(words.changes.unknown, { reference: escapeControls(operand) }))
  }
  yield formatMessage(message, await inbox.findLastAttempt(soon(), operand), words)
}

export async function* exportAll(context: CommandContext): Output {
  const { inbox, words, progress, format, status, email } = context
  const { header, formatRow } = EXPORT_FORMATS[format]
  await noteReading(context, 'export', `${format} ${describeFilters(context)}`.trim())
  yield header
  let count = 0
  const query = { order: 'oldest-first', status, email } as const
  for await (const messages of readBatches(inbox, query)) {
    yield messages.map(formatRow).join('')
    count += messages.length
    progress.show(formatEntry(words.exported, count, words))
  }
}
