import { type MouseEvent, type Ref, useEffect } from 'react'
import {
  type FaultCode,
  type Faults,
  isTypedField,
  TYPED_FIELDS,
} from '../../shared/contact-fields.ts'
import {
  describeFault,
  describeFieldFault,
  describeRefusal,
} from '../../shared/contact-sentences.ts'
import { company } from '../../shared/content/company.ts'
import { fill, fillPlural, getCompanyValues } from '../../shared/format.ts'
import { getTitle } from '../../shared/head.ts'
import type { ContactRefusal, FormResult } from '../../shared/page-state.ts'
import { getPage } from '../../shared/pages.ts'
import { attempt } from '../attempt.ts'
import { LinkedText } from '../components/linked-text.tsx'
import { Mark } from '../components/petals.tsx'
import { useSite } from '../frame/site-provider.tsx'

/** Returns the function that explains a refusal in the language of the page. */
export function useRefusalSentence() {
  const { language, texts, documentState } = useSite()
  const sentences = { ...texts.contact, problems: texts.errors.problems }
  return (refusal: ContactRefusal) =>
    describeRefusal(refusal, { limit: documentState.limit, texts: sentences, language })
}

/** The outcome of the request; stays on the page after the toast has closed. */
export function ContactNotice({ ref, outcome }: { ref: Ref<HTMLDivElement>; outcome: FormResult }) {
  const { refusal, sent } = outcome
  const name = (refusal || sent) && { role: 'group', 'aria-labelledby': 'notice-title' }
  return (
    <div ref={ref} className="contact-notice" tabIndex={-1} {...name}>
      {refusal && <RefusalNotice refusal={refusal} outcome={outcome} />}
      {sent && <SentNotice sent={sent} />}
    </div>
  )
}

function RefusalNotice({ refusal, outcome }: { refusal: ContactRefusal; outcome: FormResult }) {
  const { language, texts } = useSite()
  const { form, failed } = texts.contact
  const describe = useRefusalSentence()
  const faults = refusal.faults?.some(({ field }) => isTypedField(field)) && refusal.faults

  useEffect(() => {
    const title = getTitle(getPage('contact'), texts)
    document.title = `${form.errorPrefix} ${title}`
    return () => {
      document.title = title
    }
  }, [form.errorPrefix, texts])

  if (faults) return <FaultSummary faults={faults} hasToast={!outcome.isShownAgain} />
  const sentence = describe(refusal)
  // The server shows a form without its text if the text was too large.
  const hasText = !outcome.isShownAgain || outcome.values?.message
  const hasReach = sentence.includes(company.email)
  return (
    <div className="error-summary">
      <h3 id="notice-title">{failed.title}</h3>
      <p>
        <LinkedText text={sentence} />
      </p>
      {hasText && <p>{failed.kept}</p>}
      {!hasReach && (
        <p>
          <LinkedText text={fill(failed.reach, getCompanyValues(company, language))} />
        </p>
      )}
    </div>
  )
}

/** Moves the focus to a field, without an entry in the history. */
function goToField(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const field = document.getElementById(event.currentTarget.hash.slice(1))
  attempt(() => {
    field?.scrollIntoView()
    field?.focus({ preventScroll: true })
  })
}

/** Their sentences speak of "this field". */
const NAMELESS: FaultCode[] = ['wrong-type', 'line-break', 'too-long', 'broken-text']

/** Without JavaScript there is no toast, so the summary also has its sentence. */
function FaultSummary({ faults, hasToast }: { faults: Faults; hasToast: boolean }) {
  const { language, texts } = useSite()
  const { contact } = texts
  const { form } = contact
  const [first] = faults
  // In the order of the form, without the faults of hidden fields, which nobody can correct.
  const inOrder = TYPED_FIELDS.flatMap((field) => {
    const fault = faults.find((each) => each.field === field)
    return fault ? { ...fault, field } : []
  })
  return (
    <div className="error-summary">
      <h3 id="notice-title">{fillPlural(form.errorSummary, inOrder.length, language)}</h3>
      {!hasToast && (first.code === 'required' || !isTypedField(first.field)) && (
        <p>{describeFault(first, contact.faults)}</p>
      )}
      <ul>
        {inOrder.map((fault) => (
          <li key={fault.field}>
            <a href={`#${fault.field}`} onClick={goToField}>
              {NAMELESS.includes(fault.code)
                ? fill(form.errorLine, {
                    field: form[fault.field],
                    sentence: describeFieldFault(fault, contact),
                  })
                : describeFieldFault(fault, contact)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function SentNotice({ sent }: { sent: string | true }) {
  const { language, texts: content } = useSite()
  const { contact } = content
  const texts = contact.sent
  const isKnown = typeof sent === 'string'
  const [before, after] = texts.reference.split('{reference}')
  return (
    <div className="sent-notice">
      <Mark />
      <h3 id="notice-title">{texts.title}</h3>
      {isKnown && (
        <p>
          <span>{before}</span>
          <strong>{sent}</strong>
          <span>{after}</span>
        </p>
      )}
      <p>{texts.description}</p>
      <p>{contact.next.answer}</p>
      {isKnown && (
        <p>
          <LinkedText text={fill(texts.keep, getCompanyValues(company, language))} />
        </p>
      )}
    </div>
  )
}
