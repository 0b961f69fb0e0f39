/** Why a request was refused, besides the faults of the form itself. */
export const PROBLEMS = {
  'malformed-json': 400,
  'not-utf8': 400,
  'not-an-object': 400,
  'bad-idempotency-key': 400,
  'bad-path': 400,
  'malformed-request': 400,
  'cross-site': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  'too-large': 413,
  'unsupported-media-type': 415,
  'expectation-failed': 417,
  misdirected: 421,
  'limit-reached': 429,
  'too-many-refusals': 429,
  'headers-too-large': 431,
  'server-error': 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof PROBLEMS

/** Codes that the site's own form can get; only API clients can get the others. */
export const FORM_PROBLEMS = [
  'cross-site',
  'too-large',
  'unsupported-media-type',
  'limit-reached',
  'too-many-refusals',
  'headers-too-large',
  'server-error',
  'unavailable',
] as const satisfies ProblemCode[]

/** True when a list has an entry for a code. */
export function isListed<Code extends string>(
  code: string | null,
  list: Partial<Record<Code, unknown>>,
): code is Code {
  return code !== null && Object.hasOwn(list, code)
}

export function isProblemCode(code: string | null): code is ProblemCode {
  return isListed(code, PROBLEMS)
}

/** The whole minutes that a Retry-After in seconds asks for; one where there is none. */
export function toMinutes(retryAfter: string | null | undefined): number {
  return Math.ceil(Number(retryAfter ?? 60) / 60)
}
