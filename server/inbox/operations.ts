import { claimDigest, confirmDigest } from './operations/digest.ts'
import { eraseEmail, eraseReference, purge } from './operations/erase.ts'
import { claim, findLastAttempt, nextDueIn, settle } from './operations/mail.ts'
import { audit, find, hasReference, importMessages, list } from './operations/messages.ts'
import { measure, stats, waiting } from './operations/overview.ts'
import { submit } from './operations/submit.ts'
import { archive, markRead, release, requeueDead, retry, retrySome } from './operations/triage.ts'
import { backup, checkHashes, findFaults, probe, scrub } from './operations/upkeep.ts'
import type { Session } from './session.ts'

/** Need no write lock, so they work while another process holds it. */
const READS = {
  hasReference,
  find,
  list,
  findLastAttempt,
  nextDueIn,
  waiting,
  findFaults,
  checkHashes,
  stats,
  measure,
}

const WRITES = {
  probe,
  submit,
  audit,
  claim,
  settle,
  claimDigest,
  confirmDigest,
  release,
  retry,
  retrySome,
  requeueDead,
  archive,
  markRead,
  eraseReference,
  eraseEmail,
  purge,
  importMessages,
}

/** SQLite cannot run these inside a transaction. */
const BARE = { scrub, backup }

/** Every operation of the inbox, on both stores, each in a transaction of its own. */
export const OPERATIONS = { ...READS, ...WRITES, ...BARE }

export type Operations = typeof OPERATIONS
export type OperationName = keyof Operations

export type OperationArgs<Name extends OperationName> = Name extends OperationName
  ? Operations[Name] extends (session: Session, ...args: infer Args) => unknown
    ? Args
    : never
  : never

export type OperationResult<Name extends OperationName> = Operations[Name] extends (
  ...args: never[]
) => Promise<infer Result>
  ? Result
  : never

export const isRead = (name: OperationName): boolean => name in READS
export const isBare = (name: OperationName): boolean => name in BARE

export function perform<Name extends OperationName>(
  name: Name,
  session: Session,
  args: OperationArgs<Name>,
): Promise<OperationResult<Name>> {
  const operation = OPERATIONS[name] as (session: Session, ...args: unknown[]) => Promise<never>
  return operation(session, ...args)
}

export interface RunOptions {
  /** Epoch ms by Date.now(). */
  deadline: number
  /** Replaces the clock of the store, in epoch ms. */
  now?: number
}

/** Runs operations, wherever the database is. */
export interface Store {
  run<Name extends OperationName>(
    name: Name,
    args: OperationArgs<Name>,
    options: RunOptions,
  ): Promise<OperationResult<Name>>
  /** Finishes the calls under way, then closes. */
  close(): Promise<void>
}
