import type * as FUNCTIONS from './operations/index.ts'
import type { Session } from './session.ts'

/** A `read` works without the write lock. A `bare` operation cannot run inside a transaction of SQLite. */
export const OPERATIONS = {
  find: 'read',
  list: 'read',
  findLastAttempt: 'read',
  nextDueIn: 'read',
  waiting: 'read',
  findFaults: 'read',
  checkHashes: 'read',
  measure: 'read',
  probe: 'write',
  submit: 'write',
  audit: 'write',
  lease: 'write',
  settle: 'write',
  queueDigest: 'write',
  release: 'write',
  retry: 'write',
  retrySome: 'write',
  archive: 'write',
  eraseReference: 'write',
  eraseEmail: 'write',
  purge: 'write',
  importMessages: 'write',
  scrub: 'bare',
  backup: 'bare',
} as const satisfies Partial<Record<keyof typeof FUNCTIONS, 'read' | 'write' | 'bare'>>

export type OperationName = keyof typeof OPERATIONS
type Functions = Pick<typeof FUNCTIONS, OperationName>

export type OperationArgs<Name extends OperationName> = Name extends OperationName
  ? Parameters<Functions[Name]> extends [Session, ...infer Args]
    ? Args
    : never
  : never
export type OperationResult<Name extends OperationName> = Functions[Name] extends (
  ...args: never[]
) => Promise<infer Result>
  ? Result
  : never

export function perform<Name extends OperationName>(
  functions: Functions,
  name: Name,
  session: Session,
  args: OperationArgs<Name>,
): Promise<OperationResult<Name>> {
  const operation = functions[name] as (session: Session, ...args: unknown[]) => Promise<never>
  return operation(session, ...args)
}

export interface RunOptions {
  /** In epoch ms, compared with Date.now(). */
  deadline: number
  /** Current time for the operation, in epoch ms. By default, the store reads its clock. */
  now?: number
}

export interface Store {
  run<Name extends OperationName>(
    name: Name,
    args: OperationArgs<Name>,
    options: RunOptions,
  ): Promise<OperationResult<Name>>
  close(): Promise<void>
}
