import { useCallback, useState, useSyncExternalStore } from 'react'
import type { FormResult, FormValues, PageState } from '../../shared/page-state.ts'
import { attempt } from '../attempt.ts'
import { findForm, findValues, kept, readForm } from './visitor-text.ts'

function getResponseStart(): number {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0
}

/** `startTime`, the server's time if known, is sent, in epoch ms; `elapsed` is measured in the browser, in ms. */
function createFormClock(serverTime?: string, isShownAgain = false) {
  // The server reads its clock before it sends the first byte: since responseStart, `elapsed` is never too long.
  const loaded = serverTime ? (attempt(getResponseStart) ?? 0) : performance.now()
  // A form that the server shows again was opened before this document, so only the server can check the time.
  const opened = isShownAgain ? Number.NEGATIVE_INFINITY : loaded
  return {
    startTime: serverTime ?? String(Date.now()),
    elapsed: () => performance.now() - opened,
  }
}

/** `clock` and `key` stay the same for all retries of a message. Without randomUUID, as over http, there is no key. */
function createState(initialState: Partial<PageState> = {}) {
  const { formStartTime, contact: outcome = {}, service } = initialState
  const clock = createFormClock(formStartTime, outcome.isShownAgain)
  const form = findForm()
  // Hydration resets the textarea to the value that React has, so take over the typed text.
  const values = form ? readForm(form) : (outcome.values ?? { service })
  return { clock, key: attempt(() => crypto.randomUUID()), values, outcome, sending: false }
}

export type FormState = ReturnType<typeof createState>

let notify = () => {}

function subscribe(listener: () => void) {
  notify = listener
  return () => {}
}

export const isSending = () => kept.form?.sending

/** Changes nothing before the form is on the page: useFormState keeps it from then on. */
export function setFormState(change: Partial<FormState>): void {
  if (kept.form) kept.form = { ...kept.form, ...change }
  notify()
}

/** Shows the success. Empties the form, unless the visitor has changed a field since the submit. */
export function showSent(typed: FormValues, sent: FormResult['sent']): void {
  const isSame = JSON.stringify(findValues()) === JSON.stringify(typed)
  const fields = document.querySelectorAll<HTMLInputElement>('.contact-form .field [name]')
  // Without this, Firefox restores the sent text when the page is reloaded.
  for (const field of isSame ? fields : []) {
    field.value = ''
    // The page takes off the colours of the sector that was chosen.
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  setFormState({ ...(isSame && createState()), outcome: { sent } })
}

/** `keep` is a ref for the form: it keeps the values when the visitor opens another page. */
export function useFormState(initialState?: PageState) {
  const [first] = useState(() => kept.form ?? createState(initialState))
  const get = () => kept.form ?? first
  const state = useSyncExternalStore(subscribe, get, get)
  const keep = useCallback(
    (form: HTMLFormElement) => {
      kept.form ??= first
      return () => {
        // A form that was emptied after its message was sent has a new clock; the sent values are not kept.
        if (!kept.form || kept.form.clock !== state.clock) return
        kept.form.values = readForm(form)
        if (!kept.form.sending) kept.form.outcome = {}
      }
    },
    [first, state.clock],
  )
  return { ...state, keep }
}
