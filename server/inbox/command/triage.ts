import { setTimeout as wait } from 'node:timers/promises'
import { BATCH_SIZE, type CommandContext, CommandFailure, type Output, soon } from './context.ts'
import { escapeControls, formatEntry } from './format.ts'

const SCRUB_TRIES = 20
const SCRUB_PAUSE_MS = 250
/** Enough to rewrite a large database file: a rewrite takes a few seconds per GB. */
const REWRITE_TIMEOUT_MS = 10 * 60_000

const createChange = (action: 'release' | 'retry' | 'archive') =>
  async function* change({ inbox, words, operand }: CommandContext): Output {
    const result = await inbox[action](operand, soon())
    const text = words.changes[result](escapeControls(operand))
    if (!['released', 'retried', 'archived'].includes(result)) throw new CommandFailure(text)
    await inbox.audit(action, operand, soon())
    yield `${text}\n`
  }

export const release = createChange('release')
export const archive = createChange('archive')
const retryOne = createChange('retry')

/** Repeats a step, which changes one batch of messages, until no message is left to change. Returns the total. */
async function repeat(
  { words, progress }: CommandContext,
  title: string,
  step: () => Promise<{ count: number; more: boolean }>,
): Promise<number> {
  let total = 0
  let hasMore = true
  while (hasMore) {
    const { count, more } = await step()
    total += count
    hasMore = more
    progress.show(formatEntry(title, total, words))
  }
  return total
}

export const retry = (context: CommandContext) =>
  context.operand ? retryOne(context) : retryAll(context)

async function* retryAll(context: CommandContext): Output {
  const { inbox, words } = context
  const total = await repeat(context, words.retriedCount, async () => {
    const count = await inbox.retrySome(BATCH_SIZE, soon())
    return { count, more: count > 0 }
  })
  await inbox.audit('retry', `${total} messages`, soon())
  yield `${formatEntry(words.retriedCount, total, words)}\n`
}

export async function* erase(context: CommandContext): Output {
  const { inbox, words, operand, email } = context
  const count = email
    ? await repeat(context, words.erased, async () => {
        const { references, more } = await inbox.eraseEmail(email, BATCH_SIZE, soon())
        return { count: references.length, more }
      })
    : Number(await inbox.eraseReference(operand, soon()))
  if (count > 0) yield `${formatEntry(words.erased, count, words)}\n${words.remainder}\n`
  // Scrub even if nothing was erased: an earlier run may have been interrupted before its scrub.
  const remark = await scrub(context)
  if (count === 0) {
    const missing = email ? words.noMessageFrom : words.changes.unknown
    throw new CommandFailure(missing(escapeControls(email || operand)))
  }
  yield remark
}

export async function* purge(context: CommandContext): Output {
  const { inbox, periods, words } = context
  const total = await repeat(context, words.erased, async () => {
    const { messages, more } = await inbox.purge(periods, BATCH_SIZE, soon())
    return { count: messages, more }
  })
  await inbox.audit('purge', `${total} messages`, soon())
  const remark = await scrub(context)
  const remainder = total > 0 ? `${words.remainder}\n` : ''
  yield `${formatEntry(words.purged, total, words)}\n${remainder}${remark}`
}

/** Scrubs the store; tries up to SCRUB_TRIES times while other connections prevent it. Returns a remark, or ''. */
async function scrub({ inbox, words }: CommandContext): Promise<string> {
  for (let tries = 1; tries <= SCRUB_TRIES; tries++) {
    const result = await inbox.scrub(true, Date.now() + REWRITE_TIMEOUT_MS)
    if (result === 'scrubbed') return ''
    if (result === 'unsupported') return `${words.scrubUnsupported}\n`
    await wait(SCRUB_PAUSE_MS)
  }
  throw new CommandFailure(words.scrubBusy)
}
