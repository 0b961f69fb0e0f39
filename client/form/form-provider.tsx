import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import type { FormResult, FormValues } from '../../shared/page-state.ts'
import { useSite } from '../frame/site-provider.tsx'

/** `startTime` is sent: epoch ms, by the server's clock if known. `openedAt` is by performance.now(). */
export const startClock = (startTime = String(Date.now()), openedAt = performance.now()) => ({
  startTime,
  openedAt,
})

/** The same clock by the time of the server. The form stays as old as it is, so that the next try need not wait. */
export const correctClock = ({ openedAt }: ReturnType<typeof startClock>, serverTime: number) =>
  startClock(String(Math.floor(serverTime - (performance.now() - openedAt))), openedAt)

export const readForm = (form: HTMLFormElement): FormValues =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))

/** The text that the visitor has typed before hydration: React would reset a textarea to the value that it has. */
function readDocument(): FormValues | undefined {
  const form = globalThis.document?.querySelector<HTMLFormElement>('#contact-form')
  return form ? readForm(form) : undefined
}

/** The form's state. It outlives the form's page, because the visitor may open another one at any time. */
function useFormState() {
  const { documentState } = useSite()
  const { contact, formStartTime } = documentState
  // A form that is shown again was opened before this document, so only the server can check the time.
  const openedAt = contact?.isShownAgain ? -MIN_FILL_MS : 0
  const [first] = useState<FormValues>(
    () => readDocument() ?? contact?.values ?? { service: documentState.service },
  )
  const [service, setService] = useState(first.service ?? '')
  const [outcome, setOutcome] = useState<FormResult & { isSending?: boolean }>(contact ?? {})
  return {
    /** The text that was typed before the form's page was opened. */
    values: useRef(first),
    /** The choice, for which the page wears the colours of a sector. */
    service,
    setService,
    outcome,
    setOutcome,
    clock: useRef(formStartTime ? startClock(formStartTime, openedAt) : undefined),
    /** The form, if its page is open. */
    form: useRef<HTMLFormElement>(null),
  }
}

const FormContext = createContext<ReturnType<typeof useFormState> | undefined>(undefined)

export function FormProvider({ children }: { children: ReactNode }) {
  return <FormContext value={useFormState()}>{children}</FormContext>
}

export function useFormContext() {
  const form = useContext(FormContext)
  if (!form) throw new Error('useFormContext needs a FormProvider above it')
  return form
}
