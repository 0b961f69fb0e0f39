import type { Writable } from 'node:stream'
import { soon } from '../batches.ts'
import type { Inbox } from '../inbox.ts'
import { InboxUnavailable, UNWRITABLE } from '../inbox-errors.ts'
import type { Arguments } from './arguments.ts'
import type { Words } from './words.ts'

export interface CommandContext extends Arguments {
  inbox: Inbox
  words: Words
  progress: ReturnType<typeof createProgress>
  /** Prints a line to standard error, and lets the command go on. */
  warn(text: string): void
}

/** Yields the text for standard output. A thrown CommandFailure has the text for standard error. */
export type Output = AsyncGenerator<string, void>

export class CommandFailure extends Error {
  override name = 'CommandFailure'
}

const SCAN_TIMEOUT_MS = 60 * 60_000

/** Maximum number of messages, or rows to purge, in one transaction. */
export const BATCH_SIZE = 500

/** Deadline of a scan, or a rewrite, of the whole store. */
export const eventually = () => Date.now() + SCAN_TIMEOUT_MS

/** Records a reading before it begins. If the store cannot be written, only warns: its messages may still be saved. */
export async function noteReading(
  { inbox, words, warn }: CommandContext,
  action: string,
  subject: string,
): Promise<void> {
  try {
    await inbox.audit(soon(), action, subject)
  } catch (error) {
    if (!(error instanceof InboxUnavailable && UNWRITABLE.includes(error.reason))) throw error
    warn(`${words.notNoted} ${words.explain(error)}`)
  }
}

const PROGRESS_INTERVAL_MS = 100
const CLEAR_LINE = '\r\u001b[K'

/** Shows a progress line on a terminal; writes nothing to a pipe or a file. */
export function createProgress(stream: Writable & { isTTY?: boolean }) {
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    /** Replaces the progress line, at most ten times a second. */
    show(text: string): void {
      if (!stream.isTTY || performance.now() - shownAt < PROGRESS_INTERVAL_MS) return
      shownAt = performance.now()
      stream.write(`${CLEAR_LINE}${text} …`)
    },
    clear(): void {
      if (stream.isTTY && shownAt > 0) stream.write(CLEAR_LINE)
    },
  }
}
