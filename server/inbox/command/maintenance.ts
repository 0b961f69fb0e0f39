import { resolve } from 'node:path'
import { fill } from '../../../shared/format.ts'
import { type BatchQuery, inBatches } from '../batches.ts'
import { MESSAGE_STATUSES } from '../message.ts'
import {
  BATCH_SIZE,
  type CommandContext,
  CommandFailure,
  eventually,
  noteReading,
  type Output,
} from './context.ts'
import { formatEntry, formatRows } from './format.ts'
import type { Words } from './words.ts'

export async function* backup(context: CommandContext): Output {
  const { inbox, words, progress, operand } = context
  await noteReading(context, 'backup', '')
  progress.show(words.copying)
  await inbox.backup(eventually(), resolve(operand))
  yield `${fill(words.copied, { file: operand })}\n`
}

export async function* verify({ inbox, words, progress }: CommandContext): Output {
  progress.show(words.checking)
  const faults: { code: keyof Words['storeFaults']; subject: string }[] = await inbox.findFaults(
    eventually(),
  )
  let count = 0
  const checkBatch = async (deadline: number, query: BatchQuery<string>) => {
    const { checked, broken } = await inbox.checkHashes(deadline, query)
    faults.push(...broken.map((subject) => ({ code: 'changed' as const, subject })))
    return checked
  }
  for await (const checked of inBatches(BATCH_SIZE, checkBatch)) {
    count += checked.length
    progress.show(formatEntry(words.verified, count, words))
  }
  if (faults.length > 0) {
    const lines = faults.map(({ code, subject }) =>
      formatEntry(subject, words.storeFaults[code], words),
    )
    throw new CommandFailure(lines.join('\n'))
  }
  yield `${formatEntry(words.verified, count, words)}\n${words.isSound}\n`
}

export async function* stats({ inbox, words }: CommandContext): Output {
  const counts = await inbox.countByStatus(eventually())
  yield formatRows(
    MESSAGE_STATUSES.map((status) => [words.statuses[status], counts[status]]),
    words,
  )
}
