import * as all from './operations/index.ts'
import type { Session } from './session.ts'

/** A `read` works without the write lock. A `bare` operation cannot run inside a transaction of SQLite. */
export type Kind = 'read' | 'write' | 'bare'

export type Operation<Args extends unknown[], Value> = (
  session: Session,
  ...args: Args
) => Promise<Value>

export interface TransactOptions {
  /** In epoch ms, compared with Date.now(). */
  deadline: number
  /** Current time for the operation, in epoch ms. By default, the store reads its clock. */
  now?: number
}

/** Runs an operation; a `write` is atomic, and rejects with InboxUnavailable if its COMMIT is not begun by the deadline. */
export type Transact = <Args extends unknown[], Value>(
  kind: Kind,
  operation: Operation<Args, Value>,
  args: Args,
  options: TransactOptions,
) => Promise<Value>

export interface Store {
  transact: Transact
  /** The caller waits for its transactions first. */
  close(): Promise<void>
}

/** Makes a method of each operation. Its last argument is the deadline. */
export function createOperations(transact: Transact) {
  const call =
    <Args extends unknown[], Value>(kind: Kind, operation: Operation<Args, Value>) =>
    (...args: [...Args, deadline: number]): Promise<Value> =>
      // `slice` and `at` lose the types of the arguments.
      transact(kind, operation, args.slice(0, -1) as Args, { deadline: args.at(-1) as number })

  return {
    find: call('read', all.find),
    list: call('read', all.list),
    findLastAttempt: call('read', all.findLastAttempt),
    nextDueIn: call('read', all.nextDueIn),
    waiting: call('read', all.waiting),
    findFaults: call('read', all.findFaults),
    checkHashes: call('read', all.checkHashes),
    measure: call('read', all.measure),
    submit: call('write', all.submit),
    audit: call('write', all.audit),
    lease: call('write', all.lease),
    settle: call('write', all.settle),
    queueDigest: call('write', all.queueDigest),
    release: call('write', all.release),
    retry: call('write', all.retry),
    retrySome: call('write', all.retrySome),
    archive: call('write', all.archive),
    eraseReference: call('write', all.eraseReference),
    eraseEmail: call('write', all.eraseEmail),
    purge: call('write', all.purge),
    repairTimes: call('write', all.repairTimes),
    importMessages: call('write', all.importMessages),
    /** Checks that the store is writable. Calling it is optional, because every operation opens the store. */
    probe: call('write', all.probe),
    scrub: call('bare', all.scrub),
    backup: call('bare', all.backup),
  }
}
