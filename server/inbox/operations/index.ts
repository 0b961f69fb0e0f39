import type { Session } from '../session.ts'
import { queueDigest } from './digest.ts'
import { eraseMessage, purge } from './erase.ts'
import { findLastAttempt, lease, settle } from './mail.ts'
import { audit, find, importMessages, list } from './messages.ts'
import { submit } from './submit.ts'
import { archive, release, retry, retrySome } from './triage.ts'
import { backup, checkHashes, findFaults, probe, repairTimes, scrub } from './upkeep.ts'
import { countByStatus, measure, nextDueIn } from './waiting.ts'

/** A `read` works without the write lock. A `bare` operation cannot run inside a transaction of SQLite. */
export type Kind = 'read' | 'write' | 'bare'

/** The operations of the inbox. A `write` is atomic. The thread of SQLite finds an operation by its name here, as an editor does. */
export const OPERATIONS = {
  find: ['read', find],
  list: ['read', list],
  findLastAttempt: ['read', findLastAttempt],
  nextDueIn: ['read', nextDueIn],
  countByStatus: ['read', countByStatus],
  findFaults: ['read', findFaults],
  checkHashes: ['read', checkHashes],
  measure: ['read', measure],
  submit: ['write', submit],
  audit: ['write', audit],
  lease: ['write', lease],
  settle: ['write', settle],
  queueDigest: ['write', queueDigest],
  release: ['write', release],
  retry: ['write', retry],
  retrySome: ['write', retrySome],
  archive: ['write', archive],
  eraseMessage: ['write', eraseMessage],
  purge: ['write', purge],
  repairTimes: ['write', repairTimes],
  importMessages: ['write', importMessages],
  /** Checks that the store is writable. Calling it is optional, because every operation opens the store. */
  probe: ['write', probe],
  scrub: ['bare', scrub],
  backup: ['bare', backup],
} as const satisfies Record<
  string,
  readonly [Kind, (session: Session, ...args: never[]) => unknown]
>

type Table = typeof OPERATIONS
export type Name = keyof Table

type Method<Operation> = Operation extends (session: Session, ...args: infer Args) => infer Result
  ? (deadline: number, ...args: Args) => Result
  : never

/**
 * A method for each operation; createOperations makes them. The deadline is in epoch ms, compared with Date.now(). A call
 * passes inbox-facade.ts, then thread-store.ts, thread.ts and store.ts of SQLite, or store.ts of PostgreSQL, and ends in `perform`.
 */
export type Operations = { [N in keyof Table]: Method<Table[N][1]> }

export interface RunOptions {
  deadline: number
  /** Current time for the operation, in epoch ms. By default, the store reads its clock. */
  now?: number
}

/** `Operations` has the types of the arguments and of the value. */
export interface Store {
  /** Rejects with InboxUnavailable if the COMMIT of a `write` has not begun by the deadline. */
  run(name: Name, args: unknown[], options: RunOptions): Promise<unknown>
  /** Call this only when no operation runs. */
  close(): Promise<void>
}

export function perform(name: Name, session: Session, args: unknown[]): Promise<unknown> {
  const operation: (session: Session, ...args: never[]) => Promise<unknown> = OPERATIONS[name][1]
  return operation(session, ...(args as never[]))
}
