import type { ListQuery } from '../inbox.ts'
import { readPages } from '../paginate-messages.ts'
import type { Command } from './arguments.ts'
import { type CommandContext, CommandFailure, type Output, PATIENCE, soon } from './context.ts'
import { EXPORT_FORMATS } from './export-formats.ts'
import { disarm, formatListLine, formatMessage, LIST_HEADER } from './format.ts'

type CommandNamed<Name> = Extract<Command, { name: Name }>

const FIRST_PAGE = 50

export async function* list(context: CommandContext, command: CommandNamed<'list'>): Output {
  const { inbox, remark } = context
  const { status, all } = command
  const query: Pick<ListQuery, 'order' | 'status'> = { order: 'newest-first', status }
  await inbox.audit('list', status ?? '', soon())
  yield LIST_HEADER
  if (all) {
    for await (const page of readPages(inbox, { ...query, patience: PATIENCE })) {
      yield page.map(formatListLine).join('')
    }
    return
  }
  const messages = await inbox.list({ ...query, limit: FIRST_PAGE + 1 }, soon())
  yield messages.slice(0, FIRST_PAGE).map(formatListLine).join('')
  if (messages.length > FIRST_PAGE) remark(`There are more; --all lists them.`)
}

export async function* show(
  { inbox }: CommandContext,
  { reference }: CommandNamed<'show'>,
): Output {
  await inbox.audit('show', reference, soon())
  const message = await inbox.find(reference, soon())
  if (!message) throw new CommandFailure(`There is no message ${disarm(reference)}.`)
  await inbox.markRead(reference, soon())
  yield formatMessage(message, await inbox.findLastAttempt(reference, soon()))
}

export async function* exportAll(
  { inbox, progress }: CommandContext,
  { format, status }: CommandNamed<'export'>,
): Output {
  const { header, formatRow } = EXPORT_FORMATS[format]
  await inbox.audit('export', [format, status ?? ''].join(' ').trim(), soon())
  yield header
  let count = 0
  for await (const page of readPages(inbox, {
    order: 'oldest-first',
    status,
    patience: PATIENCE,
  })) {
    yield page.map(formatRow).join('')
    count += page.length
    progress.show(`${count} messages exported`)
  }
}
