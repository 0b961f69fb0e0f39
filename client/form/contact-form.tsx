import { type FormEvent, useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { TRAP_FIELDS } from '../../shared/contact-fields.ts'
import { describeLimit, describeRefusal } from '../../shared/contact-sentences.ts'
import { fill } from '../../shared/format.ts'
import type { ContactRefusal, FormValues } from '../../shared/page-state.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { attempt } from '../attempt.ts'
import { Icon } from '../components/icon.tsx'
import { useSite, type ViewProps } from '../frame/site-context.ts'
import { loadToasts, toasts } from '../frame/toast-store.tsx'
import { ContactFields } from './contact-fields.tsx'
import { ContactNotice } from './contact-notice.tsx'
import { isSending, setFormState, showSent, useFormState } from './form-state.ts'
import { readForm } from './visitor-text.ts'

/** Delay before a browser without requestIdleCallback preloads the submit code. */
const NO_IDLE_CALLBACK_MS = 1000

/** A stalled download may take minutes to fail by itself. */
const CODE_TIMEOUT_MS = 30_000

/** Loads the code that only a submit needs. Rejects if contact-request.ts cannot be loaded in time. */
function loadSubmission(): Promise<typeof import('./contact-request.ts')> {
  loadToasts().catch(() => {})
  return new Promise((resolve, reject) => {
    import('./contact-request.ts').then(resolve, reject)
    setTimeout(reject, CODE_TIMEOUT_MS)
  })
}

const preload = () => loadSubmission().catch(() => {})

type ContactFormProps = Pick<ViewProps<'contact'>, 'texts'>

export function ContactForm({ texts }: ContactFormProps) {
  const { language, texts: frame, documentState } = useSite()
  const { form } = texts
  const { keep, outcome, submit, sending, clock, values } = useContactForm(texts)
  const notice = useRef<HTMLDivElement>(null)
  const first = useRef(outcome)

  useEffect(() => {
    const hasOutcome = outcome.refusal ?? outcome.sent
    if (!hasOutcome || outcome === first.current) return
    notice.current?.focus({ preventScroll: true })
    notice.current?.closest('section')?.scrollIntoView()
  }, [outcome])

  return (
    <section className="contact-form" id="request" aria-labelledby="form-title">
      <h2 id="form-title">{form.title}</h2>
      <ContactNotice ref={notice} outcome={outcome} texts={texts} />
      <form
        id="contact-form"
        key={clock.startTime}
        ref={keep}
        method="post"
        action={`/contact?lang=${language}#request`}
        noValidate
        onSubmit={submit}
        onFocus={preload}
        aria-labelledby="form-title"
      >
        {outcome.sent && <h3>{form.another}</h3>}
        <p className="hint">{form.requiredHint}</p>
        <ContactFields texts={texts} values={values} faults={outcome.refusal?.faults} />
        <div className="trap visually-hidden" aria-hidden="true">
          {TRAP_FIELDS.map((name) => (
            <label key={name}>
              <span>{form.trap}</span>
              <input type="text" name={name} tabIndex={-1} autoComplete="off" />
            </label>
          ))}
        </div>
        <input type="hidden" name="formStartTime" defaultValue={clock.startTime} />
        <p className="hint">
          <span>{form.privacyNote}</span>{' '}
          <Link to={getPath(getPrivacyPage(language))}>{frame.footer.privacy}</Link>
        </p>
        <button className="button" type="submit" disabled={sending}>
          {sending && <Icon name="spinner" />}
          <span>{sending ? form.submitting : form.submit}</span>
        </button>
        <p className="hint">
          {fill(form.notice, { limit: describeLimit(documentState.limit, texts.form, language) })}
        </p>
      </form>
    </section>
  )
}

function useContactForm(texts: ContactFormProps['texts']) {
  const { language, documentState, initialState } = useSite()
  /** The current texts: the language may change between the submit and the answer. */
  const latest = useRef({ texts, language })
  const formState = useFormState(initialState)
  const { clock, key } = formState

  useEffect(() => {
    attempt(() => requestIdleCallback(preload)) ?? setTimeout(preload, NO_IDLE_CALLBACK_MS)
  }, [])
  useEffect(() => {
    latest.current = { texts, language }
  }, [texts, language])

  const refuse = (refusal: ContactRefusal) => {
    const { title } = latest.current.texts.failed
    const description = describeRefusal(refusal, { limit: documentState.limit, ...latest.current })
    setFormState({ outcome: { refusal } })
    toasts.show({ variant: 'destructive', title, description })
  }

  const send = async (typed: FormValues) => {
    const { submitContact } = await loadSubmission()
    const { refusal, sent } = await submitContact({ typed, clock, language, key })
    if (refusal) {
      refuse(refusal)
      return
    }
    showSent(typed, sent)
    const { title, description } = latest.current.texts.sent
    toasts.show({ variant: 'default', title, description })
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending()) return
    setFormState({ sending: true, outcome: {} })
    const form = event.currentTarget
    try {
      await send(readForm(form))
    } catch {
      // The code could not be loaded, or fails in an old browser. If possible, the browser sends the form.
      // Read no property of the form: an extension may have added a field of that name.
      if (navigator.onLine && document.contains(form)) HTMLFormElement.prototype.submit.call(form)
      else refuse({})
    } finally {
      setFormState({ sending: false })
    }
  }

  return { ...formState, submit }
}
