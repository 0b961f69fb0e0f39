import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from './arguments.ts'
import { BATCH_SIZE, type CommandContext, CommandFailure, type Output, soon } from './context.ts'
import { escapeControls, formatEntry } from './format.ts'

const SCRUB_TRIES = 20
const SCRUB_PAUSE_MS = 250
/** Rewriting takes seconds for each GB. */
const REWRITE_TIMEOUT_MS = 10 * 60_000

export async function* release({ inbox, words }: CommandContext, { operand }: Command): Output {
  const result = await inbox.release(operand, soon())
  const name = escapeControls(operand)
  if (result === 'unknown') throw new CommandFailure(words.noMessage(name))
  if (result === 'not-quarantined') throw new CommandFailure(words.notQuarantined(name))
  await inbox.audit('release', operand, soon())
  yield `${words.released(operand)}\n`
}

export async function* archive({ inbox, words }: CommandContext, { operand }: Command): Output {
  const result = await inbox.archive(operand, soon())
  if (result === 'unknown') throw new CommandFailure(words.noMessage(escapeControls(operand)))
  await inbox.audit('archive', operand, soon())
  yield `${words.archived(operand)}\n`
}

export async function* retry(context: CommandContext, { operand }: Command): Output {
  const { inbox, words } = context
  if (!operand) {
    yield await retryAll(context)
    return
  }
  const result = await inbox.retry(operand, soon())
  const name = escapeControls(operand)
  if (result === 'unknown') throw new CommandFailure(words.noMessage(name))
  if (result === 'not-waiting') throw new CommandFailure(words.notWaiting(name))
  await inbox.audit('retry', operand, soon())
  yield `${words.retried(operand)}\n`
}

async function retryAll({ inbox, words, progress }: CommandContext): Promise<string> {
  let count = 0
  let batch: number
  do {
    batch = await inbox.retrySome(BATCH_SIZE, soon())
    count += batch
    progress.show(formatEntry(words.retriedCount, count, words))
  } while (batch > 0)
  await inbox.audit('retry', `${count} messages`, soon())
  return `${formatEntry(words.retriedCount, count, words)}\n`
}

export async function* erase(context: CommandContext, { operand, email }: Command): Output {
  const { inbox, words } = context
  const count = email
    ? await eraseEmail(context, email)
    : Number(await inbox.eraseReference(operand, soon()))
  if (count > 0) yield `${formatEntry(words.erased, count, words)}\n${words.remainder}\n`
  // Also when nothing was erased: an earlier run may have been interrupted.
  const remark = await scrub(context)
  if (count === 0) {
    throw new CommandFailure(
      email ? words.noMessageFrom(escapeControls(email)) : words.noMessage(escapeControls(operand)),
    )
  }
  yield remark
}

async function eraseEmail(context: CommandContext, email: string): Promise<number> {
  const { inbox, words, progress } = context
  let count = 0
  let hasMore = true
  while (hasMore) {
    const { references, more } = await inbox.eraseEmail(email, BATCH_SIZE, soon())
    count += references.length
    hasMore = more
    progress.show(formatEntry(words.erased, count, words))
  }
  return count
}

export async function* purge(context: CommandContext): Output {
  const { inbox, periods, words, progress } = context
  let count = 0
  let hasMore = true
  while (hasMore) {
    const { messages, more } = await inbox.purge(periods, BATCH_SIZE, soon())
    count += messages
    hasMore = more
    progress.show(formatEntry(words.erased, count, words))
  }
  await inbox.audit('purge', `${count} messages`, soon())
  const remark = await scrub(context)
  const remainder = count > 0 ? `${words.remainder}\n` : ''
  yield `${formatEntry(words.purged, count, words)}\n${remainder}${remark}`
}

/** Waits for a moment without readers, in which the files can be rewritten. Returns a remark, or ''. */
async function scrub({ inbox, words }: CommandContext): Promise<string> {
  for (let tries = 1; tries <= SCRUB_TRIES; tries++) {
    const result = await inbox.scrub(true, Date.now() + REWRITE_TIMEOUT_MS)
    if (result === 'scrubbed') return ''
    if (result === 'unsupported') return `${words.scrubUnsupported}\n`
    await wait(SCRUB_PAUSE_MS)
  }
  throw new CommandFailure(words.scrubBusy)
}
