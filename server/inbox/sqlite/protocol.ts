import { InboxUnavailable, OperationRefused, type UnavailableReason } from '../inbox.ts'
import type { Kind, TransactOptions } from '../operations.ts'

export interface Call {
  id: number
  kind: Kind
  /** Name of the function in `operations/`. */
  name: string
  args: unknown[]
  options: TransactOptions
  /** Shared memory; see `claim`. */
  claimed: Int32Array
}

/** The thread claims a call to run it, the caller to give it up. True for the first of them. */
export const claim = ({ claimed }: Call) => Atomics.exchange(claimed, 0, 1) === 0

type Failure =
  | { reason: UnavailableReason }
  | { refusal: Pick<OperationRefused, 'code' | 'subject'> }
  | { error: unknown }

/** `never`, because only the caller knows the type of the value. */
export type Answer = { id: number } & ({ value: never } | Failure)

/** Messages between threads lose the class of an error. */
export function toFailure(error: unknown): Failure {
  if (error instanceof InboxUnavailable) return { reason: error.reason }
  if (!(error instanceof OperationRefused)) return { error }
  return { refusal: { code: error.code, subject: error.subject } }
}

export function toError(failure: Failure): unknown {
  if ('reason' in failure) return new InboxUnavailable(failure.reason)
  if ('error' in failure) return failure.error
  return new OperationRefused(failure.refusal.code, failure.refusal.subject)
}

/** Posts all items of one turn of the event loop in one message: each message costs some microseconds. */
export function createPost<Item>(send: (items: Item[]) => void) {
  const items: Item[] = []
  return (item: Item) => {
    if (items.push(item) === 1) setImmediate(() => send(items.splice(0)))
  }
}
