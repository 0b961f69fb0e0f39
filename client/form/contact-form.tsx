import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { TRAP_FIELDS } from '../../shared/contact-fields.ts'
import { describeLimit } from '../../shared/contact-sentences.ts'
import { fill } from '../../shared/format.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { Icon } from '../components/icon.tsx'
import { useSite } from '../frame/site-context.ts'
import { ContactFields } from './contact-fields.tsx'
import { ContactNotice } from './contact-notice.tsx'
import { useContactForm } from './form-provider.tsx'

export function ContactForm() {
  const { language, texts, documentState } = useSite()
  const { form } = texts.contact
  const { keep, outcome, submit, isSending, startTime, values } = useContactForm()
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
      <ContactNotice ref={notice} outcome={outcome} />
      <form
        id="contact-form"
        ref={keep}
        method="post"
        action={`/contact?lang=${language}#request`}
        noValidate
        onSubmit={submit}
        aria-labelledby="form-title"
      >
        {outcome.sent && <h3>{form.another}</h3>}
        <p className="hint">{form.requiredHint}</p>
        <ContactFields texts={texts.contact} values={values} faults={outcome.refusal?.faults} />
        <div className="trap visually-hidden" aria-hidden="true">
          {TRAP_FIELDS.map((name) => (
            <label key={name}>
              <span>{form.trap}</span>
              <input type="text" name={name} tabIndex={-1} autoComplete="off" />
            </label>
          ))}
        </div>
        <input type="hidden" name="formStartTime" defaultValue={startTime} />
        <p className="hint">
          <span>{form.privacyNote}</span>{' '}
          <Link to={getPath(getPrivacyPage(language))}>{texts.footer.privacy}</Link>
        </p>
        {/* Not `disabled`: a button that has the focus would lose it. A second submit is ignored. */}
        <button className="button" type="submit" aria-disabled={isSending}>
          {isSending && <Icon name="spinner" />}
          <span>{isSending ? form.submitting : form.submit}</span>
        </button>
        <p className="visually-hidden" role="status">
          {isSending && form.submitting}
        </p>
        <p className="hint">
          {fill(form.notice, { limit: describeLimit(documentState.limit, form, language) })}
        </p>
      </form>
    </section>
  )
}
