import { QueryClient, type QueryFunction } from '@tanstack/react-query'

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

/** Sends a payload as JSON, with cookies. Throws ApiError, or fetch's own error when there is no answer. */
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

export function createQueryFunction<T>(options: {
  on401: 'throw' | 'null'
}): QueryFunction<T | null> {
  return async ({ queryKey }) => {
    const response = await fetch(queryKey.join('/'), { credentials: 'include' })
    if (response.status === 401 && options.on401 === 'null') return null
    return (await check(response)).json()
  }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`: offline, a call fails at once instead of waiting for the network.
    queries: {
      networkMode: 'always',
      queryFn: createQueryFunction({ on401: 'throw' }),
      refetchInterval: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
