import { checkContact } from '../../shared/contact.ts'
import { MIN_FILL_MS, TRAP_FIELDS } from '../../shared/contact-fields.ts'
import { type Language, LOCALES } from '../../shared/language.ts'
import type { ContactRefusal, FormValues } from '../../shared/page-state.ts'
import { isListed, type ProblemCode } from '../../shared/problems.ts'
import { ApiError, apiRequest } from './api.ts'
import type { FormState } from './form-state.ts'

/** Checks the fields as the server does, with the time that the browser measured since the form was opened. */
export function prepareContact(typed: FormValues, { startTime, elapsed }: FormState['clock']) {
  // A password manager may have filled the trap fields.
  const traps = Object.fromEntries(TRAP_FIELDS.map((name) => [name, '']))
  const payload: FormValues = { ...typed, ...traps, formStartTime: startTime }
  return { payload, check: checkContact(payload, Number(startTime) + elapsed()) }
}

interface ContactCall {
  payload: FormValues
  clock: FormState['clock']
  language: Language
  /** Idempotency-Key: all retries of a message have the same key. */
  key?: string
}

/** Maximum time of a request, including the body of its answer. */
const POST_TIMEOUT_MS = 30_000

/**
 * Resolves to the reference of the stored message, or `true` if the answer has none. The browser's clock may be wrong:
 * if the server answers `too-fast`, waits and retries once with the server's time.
 */
export async function sendContact(call: ContactCall): Promise<string | true> {
  const { payload, clock, language, key } = call
  const headers = {
    Accept: 'text/plain, application/json;q=0.9',
    'Accept-Language': LOCALES[language],
    ...(key && { 'Idempotency-Key': key }),
  }
  const request = async (body: FormValues) => {
    const timeout = new AbortController()
    // AbortSignal.timeout is missing in older browsers. An abort after the answer has no effect.
    setTimeout(() => timeout.abort(), POST_TIMEOUT_MS)
    const answer = await apiRequest('POST', '/api/contact', body, headers, timeout.signal)
    const { reference } = await answer.json()
    return typeof reference === 'string' ? reference : true
  }
  try {
    return await request(payload)
  } catch (error) {
    const formStartTime = error instanceof ApiError && error.headers.get('Form-Start-Time')
    if (!formStartTime || clock.elapsed() < MIN_FILL_MS) throw error
    await new Promise((resolve) => setTimeout(resolve, MIN_FILL_MS))
    return request({ ...payload, formStartTime })
  }
}

/** Returns an empty refusal if there is no complete answer, or if the answer has no sentence for the visitor. */
export function findRefusal(
  error: unknown,
  texts: Partial<Record<ProblemCode, string>>,
): ContactRefusal {
  if (!(error instanceof ApiError)) return {}
  const { status, headers, text } = error
  const code = headers.get('Problem-Code')
  const retryAfterSeconds = Number(headers.get('Retry-After')) || undefined
  if (isListed(code, texts)) return { code, status, retryAfterSeconds }
  // The app refuses this request in plain text. HTML or JSON mostly has another source, such as a proxy.
  const isForeign = !text || /html|json/.test(headers.get('Content-Type') ?? '')
  return isForeign ? {} : { sentence: error.message }
}
