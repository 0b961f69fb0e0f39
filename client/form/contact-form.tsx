import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { TRAP_FIELDS } from '../../shared/constants.ts'
import { describeLimit } from '../../shared/contact-sentences.ts'
import { fill } from '../../shared/format.ts'
import { otherLanguage } from '../../shared/language.ts'
import type { ViewContent } from '../../shared/page-content.ts'
import type { PageState } from '../../shared/page-state.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { useSite } from '../frame/site-context.ts'
import { ContactFields } from './contact-fields.tsx'
import { ContactNotice } from './contact-notice.tsx'
import { useContactForm } from './use-contact-form.ts'

interface ContactFormProps {
  texts: ViewContent['contact']
  answer?: PageState
}

export function ContactForm({ texts, answer }: ContactFormProps) {
  const {
    language,
    texts: { footer },
    state,
    preload,
  } = useSite()
  const { form } = texts
  const { outcome, submit, sending, attempt } = useContactForm(texts, answer)
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
          <Link to={getPath(getPrivacyPage(language))}>{footer.privacy}</Link>
        </p>
        <button className="button" type="submit" disabled={sending}>
          {sending && <LoaderCircle className="spinner" size={20} aria-hidden="true" />}
          <span>{sending ? form.submitting : form.submit}</span>
        </button>
      </form>
    </section>
  )
}
