import type { FaultCode, Faults } from '../shared/contact-fields.ts'
import { PROBLEMS, type ProblemCode } from '../shared/problems.ts'

interface RefusalOptions {
  /** Time to wait before the next try; becomes the header Retry-After. */
  retryAfterSeconds?: number
  /** More headers of the answer, such as Allow. */
  headers?: Record<string, string>
  /** For the log: a fixed word that says more than the code. */
  reason?: string
  cause?: unknown
}

/** Ends a request with a code, or with the faults of the form. They become sentences in the answer. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ProblemCode | FaultCode
  readonly status: number
  readonly faults?: Faults
  readonly retryAfterSeconds?: number
  readonly headers: Record<string, string>
  readonly reason?: string

  constructor(
    why: ProblemCode | Faults,
    { retryAfterSeconds, headers = {}, reason, cause }: RefusalOptions = {},
  ) {
    const isCode = typeof why === 'string'
    const code = isCode ? why : why[0].code
    super(code, { cause })
    this.code = code
    this.status = isCode ? PROBLEMS[why] : 400
    this.faults = isCode ? undefined : why
    this.retryAfterSeconds = retryAfterSeconds
    const wait = retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }
    this.headers = { ...headers, ...wait }
    this.reason = reason
  }
}

export function toRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('server-error', { cause: error })
}
