import { readBatches } from '../paginate-messages.ts'
import type { Command } from './arguments.ts'
import {
  type CommandContext,
  CommandFailure,
  type Output,
  soon,
  TRANSACTION_TIMEOUT_MS,
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

export async function* list(context: CommandContext, { status, all }: Command): Output {
  const { inbox, words, remark } = context
  const query = { order: 'newest-first', status } as const
  await inbox.audit('list', status ?? '', soon())
  yield formatListHeader(words)
  if (all) {
    for await (const messages of readBatches(inbox, {
      ...query,
      patience: TRANSACTION_TIMEOUT_MS,
    })) {
      yield messages.map((message) => formatListLine(message, words)).join('')
    }
    return
  }
  const messages = await inbox.list({ ...query, limit: LIST_LENGTH + 1 }, soon())
  for (const message of messages.slice(0, LIST_LENGTH)) yield formatListLine(message, words)
  if (messages.length > LIST_LENGTH) remark(words.moreMessages)
}

export async function* show({ inbox, words }: CommandContext, { operand }: Command): Output {
  await inbox.audit('show', operand, soon())
  const message = await inbox.find(operand, soon())
  if (!message) throw new CommandFailure(words.noMessage(escapeControls(operand)))
  await inbox.markRead(operand, soon())
  yield formatMessage(message, await inbox.findLastAttempt(operand, soon()), words)
}

export async function* exportAll(
  { inbox, words, progress }: CommandContext,
  { format, status }: Command,
): Output {
  const { header, formatRow } = EXPORT_FORMATS[format]
  await inbox.audit('export', [format, status ?? ''].join(' ').trim(), soon())
  yield header
  let count = 0
  const query = { order: 'oldest-first', status, patience: TRANSACTION_TIMEOUT_MS } as const
  for await (const messages of readBatches(inbox, query)) {
    yield messages.map(formatRow).join('')
    count += messages.length
    progress.show(formatEntry(words.exported, count, words))
  }
}
