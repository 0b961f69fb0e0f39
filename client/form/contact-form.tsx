import { useMutation } from '@tanstack/react-query'
import { LoaderCircle } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { TRAP_FIELDS } from '../../shared/constants.ts'
import { checkContact } from '../../shared/contact.ts'
import { describeFault, describeLimit, describeProblem } from '../../shared/contact-sentences.ts'
import { company } from '../../shared/content/company.ts'
import { fill } from '../../shared/format.ts'
import { otherLanguage } from '../../shared/language.ts'
import type { ContactOutcome } from '../../shared/page-state.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { useSite, type ViewProps } from '../frame/site-context.ts'
import { toasts } from '../frame/toasts.tsx'
import { ContactFields } from './contact-fields.tsx'
import { ContactNotice } from './contact-notice.tsx'
import { createFormClock, createPayload, findProblem, sendContact } from './contact-request.ts'

type ContactFormProps = Omit<ViewProps<'contact'>, 'page'>

export function ContactForm({ texts, answer }: ContactFormProps) {
  const { language, texts: frame, state, preload } = useSite()
  const { form } = texts
  const { outcome, submit, sending, attempt } = useContactForm({ texts, answer })
  const notice = useRef<HTMLDivElement>(null)
  const first = useRef(outcome)

  useEffect(() => {
    const hasOutcome = outcome.faults ?? outcome.problem ?? outcome.sent
    if (hasOutcome && outcome !== first.current) notice.current?.focus()
  }, [outcome])

  return (
    <section className="contact-form" id="request" aria-labelledby="form-title">
      <h2 id="form-title">{form.title}</h2>
      <p>{fill(form.notice, { limit: describeLimit(state.limit, texts.form, language) })}</p>
      <ContactNotice ref={notice} outcome={outcome} texts={texts} />
      <form
        key={attempt.number}
        method="post"
        action={`/contact?lang=${language}#request`}
        noValidate
        onSubmit={submit}
        onFocus={() => preload(otherLanguage(language))}
        aria-labelledby="form-title"
      >
        <p className="hint">{form.requiredHint}</p>
        <ContactFields
          texts={texts}
          values={attempt.number === 0 ? answer?.contact?.values : undefined}
          faults={outcome.faults}
        />
        <div className="trap visually-hidden" aria-hidden="true">
          {TRAP_FIELDS.map((name) => (
            <label key={name}>
              <span>{form.trap}</span>
              <input type="text" name={name} tabIndex={-1} autoComplete="off" />
            </label>
          ))}
        </div>
        <input type="hidden" name="formStartTime" defaultValue={attempt.clock.startTime} />
        <p className="hint">
          <span>{form.privacyNote}</span>{' '}
          <Link to={getPath(getPrivacyPage(language))}>{frame.footer.privacy}</Link>
        </p>
        <button className="button" type="submit" disabled={sending}>
          {sending && <LoaderCircle className="spinner" size={20} aria-hidden="true" />}
          <span>{sending ? form.submitting : form.submit}</span>
        </button>
      </form>
    </section>
  )
}

/** The contact form: idle, sending, then sent or refused. */
function useContactForm({ texts, answer }: ContactFormProps) {
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
