/** Reasons to refuse a request, besides faults of the form, with the HTTP status. */
export const PROBLEMS = {
  'malformed-json': 400,
  'not-utf8': 400,
  'not-an-object': 400,
  'empty-report': 400,
  'bad-path': 400,
  'cross-site': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  'limit-reached': 429,
  'too-many-reports': 429,
  'server-error': 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof PROBLEMS
