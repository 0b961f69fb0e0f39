import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { TRAP_FIELDS, TYPED_FIELDS } from '../../shared/contact-fields.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import { describeLimit } from '../../shared/contact-sentences.ts'
import { fill, mapKeys } from '../../shared/format.ts'
import type { ContactRefusal } from '../../shared/page-state.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { attempt } from '../attempt.ts'
import { Icon } from '../components/icon.tsx'
import { useSite } from '../frame/site-provider.tsx'
import { toasts } from '../frame/toasts.ts'
import { ContactFields } from './contact-fields.tsx'
import { ContactNotice } from './contact-notice.tsx'
import { findServerTime, postContact, toContactRefusal } from './contact-request.ts'
import { correctClock, readForm, startClock, useFormContext } from './form-provider.tsx'

/** Password managers may fill these fields. */
const EMPTY_TRAPS = mapKeys(TRAP_FIELDS, () => '')

/** Checks the form and sends it; a toast and the page then say the outcome. */
function useSubmit() {
  const { language } = useSite()
  const { clock, form, values, setService, setOutcome } = useFormContext()
  const queryClient = useQueryClient()

  const refuse = (refusal: ContactRefusal) => {
    setOutcome({ refusal })
    toasts.show(refusal)
  }

  const { mutate } = useMutation({
    mutationFn: postContact,
    onSuccess(reference, { payload }) {
      const typed = form.current ? readForm(form.current) : values.current
      // The visitor may have begun the next message.
      if (TYPED_FIELDS.every((name) => typed[name] === payload[name])) {
        emptyForm()
        values.current = {}
        setService('')
      }
      setOutcome({ sent: reference })
      toasts.show('sent')
    },
    onError(error) {
      const serverTime = findServerTime(error)
      if (serverTime && clock.current) clock.current = correctClock(clock.current, serverTime)
      refuse(toContactRefusal(error))
    },
  })

  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (queryClient.isMutating() > 0) return
    const { startTime, openedAt } = clock.current ?? startClock()
    const payload = { ...readForm(event.currentTarget), ...EMPTY_TRAPS, formStartTime: startTime }
    const check = checkContact(payload, Number(startTime) + performance.now() - openedAt)
    if (!check.ok) return refuse({ faults: check.faults })
    setOutcome({ isSending: true })
    mutate({ payload, language })
  }
}

/** Not `form.reset()`, which would restore the text of a form that is shown again. Reads no property of the form: an
 * extension may have added a field of that name. */
function emptyForm(): void {
  const fields = document.querySelectorAll<HTMLInputElement>('#contact-form .field [name]')
  for (const field of fields) field.value = ''
}

export function ContactForm() {
  const { language, texts, documentState } = useSite()
  const { form: labels } = texts.contact
  const { clock, form, values, setService, outcome, setOutcome } = useFormContext()
  const submit = useSubmit()
  const { isSending } = outcome
  const status = useRef<HTMLParagraphElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const before = useRef(outcome)

  useEffect(() => {
    const { isSending: wasSending } = before.current
    const isNew = outcome !== before.current
    before.current = outcome
    const target = outcome.isSending ? status : notice
    const hasNews = outcome.isSending ?? outcome.refusal ?? outcome.sent
    // A visitor who goes on typing meanwhile keeps the focus, and has the toast.
    const { activeElement } = document
    const isWaiting = activeElement === status.current || activeElement === document.body
    if (!hasNews || !isNew || (wasSending && !isWaiting)) return
    attempt(() => {
      target.current?.focus({ preventScroll: true })
      if (target === notice) notice.current?.closest('section')?.scrollIntoView()
    })
  }, [outcome])

  /** When the visitor leaves the page, the typed text stays. */
  const attach = useCallback(
    (element: HTMLFormElement) => {
      form.current = element
      clock.current ??= startClock()
      return () => {
        form.current = null
        values.current = readForm(element)
        setService(values.current.service ?? '')
        setOutcome((shown) => (shown.isSending ? shown : {}))
      }
    },
    [clock, form, values, setService, setOutcome],
  )

  return (
    <section className="contact-form" id="request" aria-labelledby="form-title">
      <h2 id="form-title">{labels.title}</h2>
      <ContactNotice ref={notice} outcome={outcome} />
      <form
        id="contact-form"
        ref={attach}
        method="post"
        action={`/contact?lang=${language}#request`}
        noValidate
        onSubmit={submit}
        aria-labelledby="form-title"
      >
        {outcome.sent && <h3>{labels.another}</h3>}
        <p className="hint">{labels.requiredHint}</p>
        <ContactFields values={values.current} faults={outcome.refusal?.faults} />
        <div className="trap visually-hidden" aria-hidden="true">
          {TRAP_FIELDS.map((name) => (
            <label key={name}>
              <span>{labels.trap}</span>
              <input type="text" name={name} tabIndex={-1} autoComplete="off" />
            </label>
          ))}
        </div>
        <input type="hidden" name="formStartTime" defaultValue={documentState.formStartTime} />
        <p className="hint">
          <span>{labels.privacyNote}</span>{' '}
          <Link to={getPath(getPrivacyPage(language))}>{texts.footer.privacy}</Link>
        </p>
        <button className="button" type="submit" disabled={isSending}>
          {isSending && <Icon name="spinner" />}
          <span>{isSending ? labels.submitting : labels.submit}</span>
        </button>
        {/* Has the focus meanwhile, because a disabled button loses it. */}
        <p className="visually-hidden" ref={status} tabIndex={-1}>
          {isSending && labels.submitting}
        </p>
        <p className="hint">
          {fill(labels.notice, { limit: describeLimit(documentState.limit, labels, language) })}
        </p>
      </form>
    </section>
  )
}
