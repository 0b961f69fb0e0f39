import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { checkContact } from '../../shared/contact.ts'
import { describeFault, describeProblem } from '../../shared/contact-sentences.ts'
import { company } from '../../shared/content/company.ts'
import type { ViewContent } from '../../shared/page-content.ts'
import type { ContactOutcome, PageState } from '../../shared/page-state.ts'
import { useSite } from '../frame/site-context.ts'
import { toasts } from '../frame/toasts.tsx'
import { createFormClock, createPayload, findProblem, sendContact } from './contact-request.ts'

/** The states of the contact form: idle, sending, then sent or refused. */
export function useContactForm(texts: ViewContent['contact'], answer: PageState | undefined) {
  const { language, state } = useSite()
  const { failed, sent } = texts
  const [outcome, setOutcome] = useState<ContactOutcome>(answer?.contact ?? {})
  const [attempt, setAttempt] = useState(() => createAttempt(0, answer?.formStartTime))
  const { mutateAsync, isPending } = useMutation({ mutationFn: sendContact })
  const sending = useRef(false)

  const refuse = (next: ContactOutcome, description: string) => {
    setOutcome(next)
    toasts.show({ variant: 'destructive', title: failed.title, description })
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending.current) return
    const { clock, key, number } = attempt
    const payload = createPayload(new FormData(event.currentTarget), clock.startTime)
    const check = checkContact(payload, Number(clock.startTime) + clock.elapsed())
    if (!check.ok) {
      refuse({ faults: check.faults }, describeFault(check.faults[0], texts.faults))
      return
    }
    sending.current = true
    setOutcome({})
    try {
      await mutateAsync({ payload, clock, language, key })
      setAttempt(createAttempt(number + 1))
      setOutcome({ sent: true })
      toasts.show({ variant: 'default', title: sent.title, description: sent.description })
    } catch (error) {
      const problem = findProblem(error, texts.problems)
      const { limit } = state
      refuse({ problem }, describeProblem(problem, { company, limit, texts, language }))
    } finally {
      sending.current = false
    }
  }

  return { outcome, submit, sending: isPending, attempt }
}

/** One message, with its retries. `key` is undefined on an origin without https. */
function createAttempt(number: number, serverTime?: string) {
  return { number, clock: createFormClock(serverTime), key: crypto.randomUUID?.() }
}
