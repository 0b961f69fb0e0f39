import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react'
import { MIN_FILL_MS, TRAP_FIELDS } from '../../shared/contact-fields.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import { describeRefusal } from '../../shared/contact-sentences.ts'
import type { ContactRefusal, FormResult, FormValues, PageState } from '../../shared/page-state.ts'
import { useToasts } from '../frame/overlay-provider.tsx'
import { useSite } from '../frame/site-context.ts'
import { findStartTime, postContact, toContactRefusal } from './contact-request.ts'

/** `startTime` is sent: epoch ms, by the server's clock if known. `openedAt` is by performance.now(). */
interface FormClock {
  startTime: string
  openedAt: number
}

const startClock = (startTime = String(Date.now())): FormClock => ({
  startTime,
  openedAt: performance.now(),
})

/** The clock of a form that the server has sent. */
function findClock({ formStartTime, contact }: PageState): FormClock | undefined {
  if (!formStartTime) return undefined
  // A form that is shown again was opened before this document, so only the server can check the time.
  return { startTime: formStartTime, openedAt: contact?.isShownAgain ? -MIN_FILL_MS : 0 }
}

const readForm = (form: HTMLFormElement): FormValues =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))

/** The text that the visitor has typed before hydration: React would reset a textarea to the value that it has. */
function readDocument(): FormValues | undefined {
  const form = globalThis.document?.querySelector<HTMLFormElement>('#contact-form')
  return form ? readForm(form) : undefined
}

/** Password managers may fill these fields. */
const EMPTY_TRAPS = Object.fromEntries(TRAP_FIELDS.map((name) => [name, '']))

/** The contact form's state. It outlives the form's page, because the visitor may open another one at any time. */
function useFormState() {
  const { documentState, language, texts } = useSite()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const [clock, setClock] = useState(() => findClock(documentState))
  const [outcome, setOutcome] = useState<FormResult>(documentState.contact ?? {})
  const [values, setValues] = useState<FormValues>(
    () => readDocument() ?? documentState.contact?.values ?? { service: documentState.service },
  )
  const form = useRef<HTMLFormElement>(null)

  const isSending = () => queryClient.isMutating() > 0
  const getValues = () => (form.current ? readForm(form.current) : values)

  const refuse = (refusal: ContactRefusal) => {
    const { contact, errors } = texts
    const { limit } = documentState
    const sentences = { ...contact, problems: errors.problems }
    const description = describeRefusal(refusal, { limit, language, texts: sentences })
    setOutcome({ refusal })
    toasts.show({ variant: 'destructive', title: contact.failed.title, description })
  }

  const { mutate, isPending } = useMutation({
    mutationFn: postContact,
    onSuccess(sent, { payload }) {
      // The visitor may have begun the next message.
      if (isSameText(getValues(), payload)) {
        if (form.current) emptyForm()
        setValues({})
        setClock(startClock())
      }
      setOutcome({ sent })
      const { title, description } = texts.contact.sent
      toasts.show({ variant: 'default', title, description })
    },
    onError(error) {
      const startTime = findStartTime(error)
      if (startTime) setClock(startClock(startTime))
      refuse(toContactRefusal(error))
    },
  })

  return {
    values,
    outcome,
    isSending: isPending,
    startTime: clock?.startTime,
    /** A ref for the form: keeps its values when the visitor leaves its page. */
    keep: useCallback(
      (element: HTMLFormElement) => {
        form.current = element
        setClock((known) => known ?? startClock())
        return () => {
          form.current = null
          setValues(readForm(element))
          if (queryClient.isMutating() === 0) setOutcome({})
        }
      },
      [queryClient],
    ),
    submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      if (isSending()) return
      const { startTime, openedAt } = clock ?? startClock()
      const payload = { ...readForm(event.currentTarget), ...EMPTY_TRAPS, formStartTime: startTime }
      const check = checkContact(payload, Number(startTime) + performance.now() - openedAt)
      if (check.ok) {
        setOutcome({})
        mutate({ payload, language })
      } else refuse({ faults: check.faults })
    },
  }
}

const isSameText = (one: FormValues, other: FormValues) =>
  Object.entries(other).every(
    ([name, value]) =>
      name === 'formStartTime' || TRAP_FIELDS.some((trap) => trap === name) || one[name] === value,
  )

/** Not `form.reset()`, which would restore the text of a form that is shown again. Reads no property of the form: an
 * extension may have added a field of that name. */
function emptyForm(): void {
  const fields = document.querySelectorAll<HTMLInputElement>('#contact-form .field [name]')
  for (const field of fields) {
    field.value = ''
    // The page takes off the colours of the sector that was chosen.
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

const FormContext = createContext<ReturnType<typeof useFormState> | undefined>(undefined)

export function FormProvider({ children }: { children: ReactNode }) {
  return <FormContext value={useFormState()}>{children}</FormContext>
}

export function useContactForm() {
  const form = useContext(FormContext)
  if (!form) throw new Error('useContactForm needs a FormProvider above it')
  return form
}
