import type { Language } from '../../shared/language.ts'
import type { ContactRefusal, FormValues } from '../../shared/page-state.ts'
import { ApiError, apiRequest } from '../api.ts'

/** Maximum time of a request, including the body of its answer. */
const POST_TIMEOUT_MS = 30_000

/** Resolves to the reference of the stored message, or `true` if the answer has none. */
export async function postContact(request: { payload: FormValues; language: Language }) {
  const url = `/api/contact?lang=${request.language}`
  const headers = { Accept: 'text/plain, application/json;q=0.9' }
  const timeout = new AbortController()
  // AbortSignal.timeout is missing in older browsers. An abort after the answer has no effect.
  setTimeout(() => timeout.abort(), POST_TIMEOUT_MS)
  const answer = await apiRequest('POST', url, request.payload, headers, timeout.signal)
  const { reference } = await answer.json()
  return typeof reference === 'string' ? reference : (true as const)
}

/** The time of the server, in epoch ms, if it has refused that of the browser's clock. */
export function findServerTime(error: unknown): number | undefined {
  return (
    (error instanceof ApiError && Number(error.response.headers.get('Form-Start-Time'))) ||
    undefined
  )
}

/** Returns an empty refusal if there is no complete answer. */
export function toContactRefusal(error: unknown): ContactRefusal {
  if (!(error instanceof ApiError)) return {}
  const { response, text, message } = error
  const { status, headers } = response
  // The app refuses this request in plain text. HTML or JSON mostly has another source, such as a proxy.
  const isForeign = !text || /html|json/.test(headers.get('Content-Type') ?? '')
  return {
    code: headers.get('Problem-Code') ?? undefined,
    status,
    retryAfterSeconds: Number(headers.get('Retry-After')) || undefined,
    sentence: isForeign ? undefined : message,
  }
}
