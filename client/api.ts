/** Texts of the statuses with which a server or a proxy may refuse a request without a body: HTTP/2 and 3 send none. */
const STATUS_TEXTS: Partial<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

export class ApiError extends Error {
  readonly status: number
  /** The body or, if it is empty, the text of the status, if known. */
  readonly text: string
  readonly headers: Headers
  constructor(status: number, text: string, headers: Headers) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.text = text
    this.headers = headers
  }
}

export async function checkResponse(response: Response): Promise<Response> {
  if (response.ok) return response
  const { status, statusText, headers } = response
  const text = (await response.text()) || statusText || STATUS_TEXTS[status] || ''
  throw new ApiError(status, text, headers)
}

/** Sends a payload, if any, as JSON, with cookies. Throws ApiError for a status other than 2xx, or fetch's own error. */
export async function apiRequest(
  method: string,
  path: string,
  payload?: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: 'include',
    headers: payload === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    body: payload === undefined ? undefined : JSON.stringify(payload),
    signal,
  })
  return checkResponse(response)
}
