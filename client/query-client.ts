import { QueryClient, type QueryFunction } from '@tanstack/react-query'
import { checkResponse } from './api.ts'

/** Fetches the parts of the key, joined with slashes. */
export function createQueryFunction<T>(options: {
  on401: 'throw' | 'null'
}): QueryFunction<T | null> {
  return async ({ queryKey }) => {
    const response = await fetch(queryKey.join('/'), { credentials: 'include' })
    if (response.status === 401 && options.on401 === 'null') return null
    return (await checkResponse(response)).json()
  }
}

export const createQueryClient = () =>
  new QueryClient({
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
