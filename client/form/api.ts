export class ApiError extends Error {
  readonly status: number
  readonly headers: Headers
  constructor(status: number, text: string, headers: Headers) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.headers = headers
  }
}

export async function checkResponse(response: Response): Promise<Response> {
  if (response.ok) return response
  const text = (await response.text()) || response.statusText
  throw new ApiError(response.status, text, response.headers)
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
