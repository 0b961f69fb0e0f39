import type { FaultCode, Faults } from '../shared/contact-fields.ts'
import { PROBLEMS, type ProblemCode } from '../shared/problems.ts'
import { StoreUnavailable } from './inbox/store-errors.ts'

const STORE_RETRY_SECONDS = 30

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

/** Codes of the errors that Express's parsers and static files pass on, by their type or status. */
const CODES: Partial<Record<string, ProblemCode>> = {
  'entity.parse.failed': 'malformed-json',
  'entity.verify.failed': 'not-utf8',
  400: 'bad-path',
  403: 'not-found',
  404: 'not-found',
  412: 'precondition-failed',
  413: 'too-large',
  415: 'unsupported-media-type',
  416: 'range-not-satisfiable',
}

/** Any error as a refusal; one that nobody foresaw becomes a server error. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof StoreUnavailable) {
    const { reason } = error
    return new Refusal('unavailable', {
      retryAfterSeconds: STORE_RETRY_SECONDS,
      reason,
      cause: error,
    })
  }
  const { type, status, headers } = error as {
    type?: string
    status?: number
    headers?: Record<string, string>
  }
  const code = CODES[type ?? ''] ?? CODES[status ?? '']
  return new Refusal(code ?? 'server-error', { headers, cause: error })
}
