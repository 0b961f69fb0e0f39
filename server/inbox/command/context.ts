import type { Inbox } from '../inbox.ts'
import type { RetentionPeriods } from '../upkeep.ts'
import type { Progress } from './progress.ts'

export interface CommandContext {
  inbox: Inbox
  periods: RetentionPeriods
  progress: Progress
  /** Says something beside the output. */
  remark(text: string): void
}

/** What a command yields goes to standard output; one that fails throws a CommandFailure. */
export type Output = AsyncGenerator<string, void>

export class CommandFailure extends Error {
  override name = 'CommandFailure'
}

/** How long one transaction may take, in ms. */
export const PATIENCE = 10_000
// And one that looks at the whole store.
const LONG_PATIENCE = 60 * 60 * 1000

/** How many messages are handled in one transaction. */
export const PIECE = 500

export const soon = () => Date.now() + PATIENCE
export const eventually = () => Date.now() + LONG_PATIENCE
