import { LoaderCircle } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { TRAP_FIELDS } from '../../shared/constants.ts'
import { describeFault, describeLimit, describeProblem } from '../../shared/contact-sentences.ts'
import { company } from '../../shared/content/company.ts'
import { fill } from '../../shared/format.ts'
import type { ContactOutcome, FormValues, Problem } from '../../shared/page-state.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { useSite, type ViewProps } from '../frame/site-context.ts'
import { loadToaster, toasts } from '../frame/toasts.tsx'
import { ContactFields } from './contact-fields.tsx'
import { ContactNotice } from './contact-notice.tsx'
import { createFormClock } from './form-clock.ts'

type Submission = typeof import('./contact-request.ts')

/** Delay before a browser without requestIdleCallback, such as Safari, loads the submit code. */
const NO_IDLE_CALLBACK_MS = 1000

/** Loads the code that only a submit needs. Resolves with undefined if contact-request.ts cannot be loaded. */
function loadSubmission(): Promise<Submission | undefined> {
  loadToaster().catch(() => {})
  return import('./contact-request.ts').catch(() => undefined)
}

/** The values that were typed but not sent, for a visitor who opens another page and comes back. */
let draft: FormValues | undefined

function keepDraft({ currentTarget }: FormEvent<HTMLFormElement>): void {
  const typed = [...new FormData(currentTarget)]
  draft = Object.fromEntries(typed.map(([name, value]) => [name, String(value)]))
}

type ContactFormProps = Omit<ViewProps<'contact'>, 'page'>

export function ContactForm({ texts, answer }: ContactFormProps) {
  const { language, texts: frame, state } = useSite()
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
        onFocus={loadSubmission}
        onInput={keepDraft}
        aria-labelledby="form-title"
      >
        <p className="hint">{form.requiredHint}</p>
        <ContactFields
          texts={texts}
          values={attempt.number === 0 ? (answer?.contact?.values ?? draft) : undefined}
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

function useContactForm({ texts, answer }: ContactFormProps) {
  const { language, state } = useSite()
  /** The current texts: the language may change between the submit and the answer. */
  const latest = useRef({ texts, language })
  const [outcome, setOutcome] = useState<ContactOutcome>(answer?.contact ?? {})
  const [attempt, setAttempt] = useState(() => createAttempt(0, answer?.formStartTime))
  const [sending, setSending] = useState(false)
  const isBusy = useRef(false)

  useEffect(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(loadSubmission)
    else setTimeout(loadSubmission, NO_IDLE_CALLBACK_MS)
  }, [])
  useEffect(() => {
    latest.current = { texts, language }
  }, [texts, language])

  const refuse = (next: ContactOutcome, description: string) => {
    const { title } = latest.current.texts.failed
    setOutcome(next)
    toasts.show({ variant: 'destructive', title, description })
  }
  const fail = (problem: Problem) => {
    const { limit } = state
    refuse({ problem }, describeProblem(problem, { company, limit, ...latest.current }))
  }

  const send = async (form: HTMLFormElement, typed: FormData, submission: Submission) => {
    const { clock, key, number } = attempt
    const payload = submission.createPayload(typed, clock.startTime)
    const check = submission.checkPayload(payload, clock)
    if (!check.ok) {
      refuse({ faults: check.faults }, describeFault(check.faults[0], texts.faults))
      return
    }
    setOutcome({})
    try {
      await submission.sendContact({ payload, clock, language, key })
      draft = undefined
      // Without this reset, Firefox restores the sent text when the page is reloaded.
      form.reset()
      setAttempt(createAttempt(number + 1))
      setOutcome({ sent: true })
      const { title, description } = latest.current.texts.sent
      toasts.show({ variant: 'default', title, description })
    } catch (error) {
      fail(submission.findProblem(error, latest.current.texts.problems))
    }
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy.current) return
    isBusy.current = true
    setSending(true)
    const form = event.currentTarget
    const typed = new FormData(form)
    const submission = await loadSubmission()
    if (submission) await send(form, typed, submission)
    // The code was not loaded, perhaps because a newer build removed it. The browser itself sends the form.
    else if (navigator.onLine) form.submit()
    else fail({})
    isBusy.current = false
    setSending(false)
  }

  return { outcome, submit, sending, attempt }
}

/** An attempt is one message with its retries. `key` is undefined where randomUUID is missing, such as over http. */
function createAttempt(number: number, serverTime?: string) {
  return { number, clock: createFormClock(serverTime), key: crypto.randomUUID?.() }
}
