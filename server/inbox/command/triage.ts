import { fill } from '../../../shared/format.ts'
import { inBatches, soon } from '../batches.ts'
import { BATCH_SIZE, type CommandContext, CommandFailure, type Output } from './context.ts'
import { escapeControls, formatEntry } from './format.ts'

const CHANGED = ['released', 'retried', 'archived']

const createChange = (action: 'release' | 'retry' | 'archive') =>
  async function* change({ inbox, words, operand }: CommandContext): Output {
    const result = await inbox[action](soon(), operand)
    const text = fill(words.changes[result], { reference: escapeControls(operand) })
    if (!CHANGED.includes(result)) throw new CommandFailure(text)
    yield `${text}\n`
  }

export const release = createChange('release')
export const archive = createChange('archive')
const retryOne = createChange('retry')

export const retry = (context: CommandContext) =>
  context.operand ? retryOne(context) : retryAll(context)

export async function changeAll(
  { words, progress }: CommandContext,
  title: string,
  step: Parameters<typeof inBatches<string>>[1],
  isMessage = (_: string) => true,
): Promise<number> {
  let total = 0
  for await (const items of inBatches(BATCH_SIZE, step)) {
    total += items.filter(isMessage).length
    progress.show(formatEntry(title, total, words))
  }
  return total
}

async function* retryAll(context: CommandContext): Output {
  const { inbox, words } = context
  const total = await changeAll(context, words.retriedCount, inbox.retrySome)
  yield `${formatEntry(words.retriedCount, total, words)}\n`
}
