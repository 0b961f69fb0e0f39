import { MINIMUM_FILL_TIME, TRAP_FIELDS } from '../../shared/constants.ts'
import { type Language, LOCALES } from '../../shared/language.ts'
import type { Problem } from '../../shared/page-state.ts'
import { isListed, type ProblemCode, toMinutes } from '../../shared/problems.ts'
import { ApiError, apiRequest } from './api.ts'

/** When a form was opened, as the server is told, and how long ago that is. */
export interface FormClock {
  startTime: string
  elapsed(): number
}

/** A form that came with the document has the server's time; one that was routed to has this browser's. */
export function createFormClock(serverTime?: string): FormClock {
  const opened = serverTime ? findArrival() : performance.now()
  return {
    startTime: serverTime ?? String(Date.now()),
    elapsed: () => performance.now() - opened,
  }
}

/** When the document's first byte came: the server had set its time by then, so this clock is never ahead of it. */
function findArrival(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.responseStart ?? 0
}

export type ContactPayload = Record<string, string>

/** The call's body: what was typed, and the traps, which this form always sends empty. */
export function createPayload(form: FormData, startTime: string): ContactPayload {
  const typed = [...form].map(([name, value]) => [name, String(value)])
  const traps = TRAP_FIELDS.map((name) => [name, ''])
  return Object.fromEntries([...typed, ...traps, ['formStartTime', startTime]])
}

interface ContactCall {
  payload: ContactPayload
  clock: FormClock
  language: Language
  /** Lets another try of the same request find the first one. */
  key?: string
}

/** How long a post may take, its answer's body included. */
const POST_TIMEOUT_MS = 30_000

const wait = (duration: number) => new Promise((resolve) => setTimeout(resolve, duration))

/**
 * Sends a request; throws as apiRequest does. Where the server's clock says that it came too fast and this
 * browser's does not, it waits and sends once more with the server's time: a wrong clock locks nobody out.
 */
export async function sendContact({ payload, clock, language, key }: ContactCall): Promise<void> {
  const headers = {
    Accept: 'text/plain, application/json;q=0.9',
    'Accept-Language': LOCALES[language],
    ...(key && { 'Idempotency-Key': key }),
  }
  const post = async (body: ContactPayload) => {
    const timeout = new AbortController()
    // Not AbortSignal.timeout, which older engines lack. An abort after the answer does nothing.
    setTimeout(() => timeout.abort(), POST_TIMEOUT_MS)
    const answer = await apiRequest('POST', '/api/contact', body, headers, timeout.signal)
    await answer.json()
  }
  try {
    await post(payload)
  } catch (error) {
    const formStartTime = error instanceof ApiError && error.headers.get('Form-Start-Time')
    if (!formStartTime || clock.elapsed() < MINIMUM_FILL_TIME) throw error
    await wait(MINIMUM_FILL_TIME)
    await post({ ...payload, formStartTime })
  }
}

/** What is known of a failure; nothing where the answer did not come from this server. */
export function findProblem(error: unknown, texts: Partial<Record<ProblemCode, string>>): Problem {
  if (!(error instanceof ApiError)) return {}
  const { status, headers, message } = error
  if (headers.get('Content-Type')?.startsWith('text/html')) return {}
  const code = headers.get('Problem-Code')
  if (!isListed(code, texts)) return { sentence: message }
  return { code, status, minutes: toMinutes(headers.get('Retry-After')) }
}
