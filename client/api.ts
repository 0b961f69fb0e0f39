/** Texts of the statuses with which a proxy may answer without a body: HTTP/2 and 3 send none. */
const STATUS_TEXTS: Partial<Record<number, string>> = {
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

export class ApiError extends Error {
  override name = 'ApiError'
  readonly response: Response
  /** The body or, if it is empty, the text of the status, if known. */
  readonly text: string
  constructor(response: Response, text: string) {
    super(`${response.status}: ${text}`)
    this.response = response
    this.text = text
  }
}

export async function checkResponse(response: Response): Promise<Response> {
  if (response.ok) return response
  const { status, statusText } = response
  throw new ApiError(response, (await response.text()) || statusText || STATUS_TEXTS[status] || '')
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
