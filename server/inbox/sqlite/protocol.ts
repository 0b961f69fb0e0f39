import type { UnavailableReason } from '../inbox.ts'
import type { OperationName, Operations } from '../operations.ts'
import { findFault } from './error-codes.ts'

export interface Job<Name extends OperationName = OperationName> {
  operation: Name
  args: Parameters<Operations[Name]>
  /** Epoch ms by Date.now(). */
  deadline: number
}

/** What crosses to the worker; `claims` has one flag for each job. */
export interface Batch {
  jobs: Job[]
  claims: Int32Array
}

export type Outcome = { value: unknown } | { fault: UnavailableReason } | { error: string }

export function toOutcome(error: unknown): Outcome {
  const fault = findFault(error)
  return fault ? { fault } : { error: Error.isError(error) ? error.message : String(error) }
}
