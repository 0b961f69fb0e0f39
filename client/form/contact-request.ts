import { MIN_FILL_MS, TRAP_FIELDS } from '../../shared/contact-fields.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import { type Language, LOCALES } from '../../shared/language.ts'
import type { ContactRefusal, FormResult, FormValues } from '../../shared/page-state.ts'
import { ApiError, apiRequest } from './api.ts'
import type { FormState } from './form-state.ts'

interface Submission {
  typed: FormValues
  clock: FormState['clock']
  language: Language
  /** Idempotency-Key: all retries of a message have the same key. */
  key?: string
}

/** Checks the fields as the server does and, if they have no fault, sends them. */
export async function submitContact(submission: Submission): Promise<FormResult> {
  const { typed, clock } = submission
  // A password manager may have filled the trap fields.
  const traps = Object.fromEntries(TRAP_FIELDS.map((name) => [name, '']))
  const payload: FormValues = { ...typed, ...traps, formStartTime: clock.startTime }
  // By the time that the browser measured since the form was opened.
  const check = checkContact(payload, Number(clock.startTime) + clock.elapsed())
  if (!check.ok) return { refusal: { faults: check.faults } }
  try {
    return { sent: await send(payload, submission) }
  } catch (error) {
    return { refusal: toContactRefusal(error) }
  }
}

/** Maximum time of a request, including the body of its answer. */
const POST_TIMEOUT_MS = 30_000

/**
 * Resolves to the reference of the stored message, or `true` if the answer has none. The browser's clock may be wrong:
 * if the server answers `too-fast`, waits and retries once with the server's time.
 */
async function send(
  payload: FormValues,
  { clock, language, key }: Submission,
): Promise<string | true> {
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

/** Returns an empty refusal if there is no complete answer. */
export function toContactRefusal(error: unknown): ContactRefusal {
  if (!(error instanceof ApiError)) return {}
  const { status, headers, text, message } = error
  // The app refuses this request in plain text. HTML or JSON mostly has another source, such as a proxy.
  const isForeign = !text || /html|json/.test(headers.get('Content-Type') ?? '')
  return {
    code: headers.get('Problem-Code') ?? undefined,
    status,
    retryAfterSeconds: Number(headers.get('Retry-After')) || undefined,
    sentence: isForeign ? undefined : message,
  }
}
