import type { Inbox, ListQuery, Message } from '../inbox.ts'
import { isReference } from '../message.ts'
import { BATCH_SIZE, type CommandContext, CommandFailure, type Output, soon } from './context.ts'
import { EXPORT_FORMATS } from './export-formats.ts'
import {
  escapeControls,
  formatEntry,
  formatListHeader,
  formatListLine,
  formatMessage,
} from './format.ts'

const LIST_LENGTH = 50

/** Reads in batches, so that memory use does not grow with the number of messages. */
export async function* readBatches(
  inbox: Pick<Inbox, 'list'>,
  query: Pick<ListQuery, 'order' | 'status'>,
): AsyncGenerator<Message[]> {
  let after: Message | undefined
  do {
    const batch = await inbox.list({ ...query, limit: BATCH_SIZE, after }, soon())
    if (batch.length > 0) yield batch
    after = batch.length < BATCH_SIZE ? undefined : batch.at(-1)
  } while (after)
}

export async function* list({ inbox, words, status }: CommandContext): Output {
  await inbox.audit('list', status ?? '', soon())
  yield formatListHeader(words)
  const query = { order: 'newest-first', status, limit: LIST_LENGTH + 1 } as const
  const messages = await inbox.list(query, soon())
  for (const message of messages.slice(0, LIST_LENGTH)) yield formatListLine(message, words)
  if (messages.length > LIST_LENGTH) yield `${words.moreMessages}\n`
}

export async function* show({ inbox, words, operand }: CommandContext): Output {
  // Anything else could be a visitor's text, such as an e-mail address.
  if (isReference(operand)) await inbox.audit('show', operand, soon())
  const message = await inbox.find(operand, soon())
  if (!message) throw new CommandFailure(words.changes.unknown(escapeControls(operand)))
  yield formatMessage(message, await inbox.findLastAttempt(operand, soon()), words)
}

export async function* exportAll(context: CommandContext): Output {
  const { inbox, words, progress, format, status } = context
  const { header, formatRow } = EXPORT_FORMATS[format]
  await inbox.audit('export', [format, status ?? ''].join(' ').trim(), soon())
  yield header
  let count = 0
  const query = { order: 'oldest-first', status } as const
  for await (const messages of readBatches(inbox, query)) {
    yield messages.map(formatRow).join('')
    count += messages.length
    progress.show(formatEntry(words.exported, count, words))
  }
}
