import { setTimeout as wait } from 'node:timers/promises'
import type { Inbox } from '../inbox.ts'
import type { Erased, Purged } from '../upkeep.ts'
import { type CommandContext, CommandFailure, type Output, PIECE, soon } from './context.ts'
import { disarm } from './format.ts'

const SCRUB_TRIES = 20
const SCRUB_PAUSE = 250
/** In ms. */
const TIME_TO_REWRITE = 10 * 60_000

const REMAINDER = 'Older backups, exports and mail that was sent still hold the text.\n'
const BUSY = `Others were reading all the while, so the database's files may still hold the text: erase or purge once more.`
const UNSUPPORTED = `PostgreSQL's own files and its WAL hold the text until they are overwritten (VACUUM, checkpoints, archives).\n`

/** Waits for a moment in which nobody reads, so that the files can be made clean. */
async function scrub(inbox: Inbox): Promise<string> {
  for (let tries = 1; ; tries++) {
    const result = await inbox.scrub(true, Date.now() + TIME_TO_REWRITE)
    if (result === 'scrubbed') return ''
    if (result === 'unsupported') return UNSUPPORTED
    if (tries === SCRUB_TRIES) throw new CommandFailure(BUSY)
    await wait(SCRUB_PAUSE)
  }
}

async function eraseEmail({ inbox, progress }: CommandContext, email: string): Promise<number> {
  let count = 0
  let piece: Erased
  do {
    piece = await inbox.eraseEmail(email, PIECE, soon())
    count += piece.references.length
    progress.show(`${count} messages erased`)
  } while (piece.more)
  return count
}

export async function* erase(
  context: CommandContext,
  command: { reference: string } | { email: string },
): Output {
  const count =
    'email' in command
      ? await eraseEmail(context, command.email)
      : Number(await context.inbox.eraseReference(command.reference, soon()))
  if (count > 0) yield `Messages erased: ${count}\n${REMAINDER}`
  // Also when there was nothing to erase: an earlier run may have been cut short.
  const remark = await scrub(context.inbox)
  if (count === 0) {
    const sought = 'email' in command ? `from ${disarm(command.email)}` : disarm(command.reference)
    throw new CommandFailure(`There is no message ${sought}.`)
  }
  yield remark
}

export async function* purge({ inbox, periods, progress }: CommandContext): Output {
  let count = 0
  let piece: Purged
  do {
    piece = await inbox.purge(periods, PIECE, soon())
    count += piece.messages
    progress.show(`${count} messages erased`)
  } while (piece.more)
  await inbox.audit('purge', `${count} messages`, soon())
  const remark = await scrub(inbox)
  yield `Messages past their time that were erased: ${count}\n${count > 0 ? REMAINDER : ''}${remark}`
}
