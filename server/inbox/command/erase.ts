import { setTimeout as wait } from 'node:timers/promises'
import { fill } from '../../../shared/format.ts'
import { soon } from '../batches.ts'
import { InboxUnavailable } from '../inbox-errors.ts'
import { readBatches } from './browse.ts'
import { type CommandContext, CommandFailure, eventually, type Output } from './context.ts'
import { escapeControls, formatEntry } from './format.ts'
import { changeAll } from './triage.ts'

const SCRUB_TRIES = 10
const SCRUB_PAUSE_MS = 250

async function eraseMessage({ inbox, words, operand }: CommandContext) {
  const reference = escapeControls(operand)
  const result = await inbox.eraseMessage(soon(), operand)
  if (result === 'unknown') throw new CommandFailure(fill(words.changes.unknown, { reference }))
  return { count: Number(result === 'erased'), none: fill(words.changes.gone, { reference }) }
}

async function eraseMailbox({ inbox, words, progress }: CommandContext, email: string) {
  let count = 0
  for await (const messages of readBatches(inbox, { order: 'oldest-first', email })) {
    for (const { reference } of messages) {
      if ((await inbox.eraseMessage(soon(), reference)) === 'erased') count += 1
      progress.show(formatEntry(words.erased, count, words))
    }
  }
  return { count, none: fill(words.noMessageFrom, { email: escapeControls(email) }) }
}

export async function* erase(context: CommandContext): Output {
  const { words, email } = context
  const { count, none } = email ? await eraseMailbox(context, email) : await eraseMessage(context)
  const erased = `${formatEntry(words.erased, count, words)}\n${words.remainder}`
  // Scrub even if nothing was erased: an earlier run may have been interrupted before its scrub.
  yield await scrub(context, `${count > 0 ? erased : none}\n`)
}

export async function* purge(context: CommandContext): Output {
  const { inbox, words } = context
  const total = await changeAll(
    context,
    words.erased,
    (deadline, query) => inbox.purge(deadline, undefined, query),
    (table) => table === 'messages',
  )
  const remainder = total > 0 ? `${words.remainder}\n` : ''
  yield await scrub(context, `${formatEntry(words.purged, total, words)}\n${remainder}`)
}

/**
 * Rewrites and scrubs the store; repeats only the scrub while other connections prevent it. Resolves to
 * `done`, the text on what was erased, and a remark; the text of a failure also begins with `done`. Scrub before any
 * output: its reader may close it, which ends the command.
 */
async function scrub({ inbox, words }: CommandContext, done: string): Promise<string> {
  const fail = (text: string): never => {
    throw new CommandFailure(`${done}${text}\n${words.scrubFailed}`)
  }
  const explain = (error: unknown): never => {
    if (!(error instanceof InboxUnavailable)) throw error
    return fail(`${words.unavailable} ${words.explain(error)}`)
  }
  for (let tries = 1; tries <= SCRUB_TRIES; tries++) {
    const result = await inbox.scrub(eventually(), tries === 1).catch(explain)
    if (result === 'scrubbed') return done
    if (result === 'unsupported') return `${done}${words.scrubUnsupported}\n`
    await wait(SCRUB_PAUSE_MS)
  }
  return fail(words.scrubBusy)
}
