import type { QueryFunction } from '@tanstack/react-query'

/** An answer other than 2xx. Its message is the status, a colon and the body's text, or the status text. */
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

async function check(response: Response): Promise<Response> {
  if (response.ok) return response
  const text = (await response.text()) || response.statusText
  throw new ApiError(response.status, text, response.headers)
}

/** Sends a request with cookies; a payload goes as JSON. Throws ApiError, or what fetch throws without an answer. */
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
  return check(response)
}

/** Fetches the key's parts joined with slashes. On 401 it throws, or gives null where that is asked for. */
export function createQueryFunction<T>(options: {
  on401: 'throw' | 'null'
}): QueryFunction<T | null> {
  return async ({ queryKey }) => {
    const response = await fetch(queryKey.join('/'), { credentials: 'include' })
    if (response.status === 401 && options.on401 === 'null') return null
    return (await check(response)).json()
  }
}
