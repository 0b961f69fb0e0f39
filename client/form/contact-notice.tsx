import { type ReactNode, type Ref, useEffect } from 'react'
import { type Fault, FIELDS, isTypedField } from '../../shared/contact-fields.ts'
import {
  describeFault,
  describeFieldFault,
  describeRefusal,
} from '../../shared/contact-sentences.ts'
import { company } from '../../shared/content/company.ts'
import { fill, fillPlural, formatPhone } from '../../shared/format.ts'
import { getTitle } from '../../shared/head.ts'
import type { ViewContent } from '../../shared/page-content.ts'
import type { FormResult } from '../../shared/page-state.ts'
import { Mark } from '../components/petals.tsx'
import { useSite } from '../frame/site-context.ts'

interface ContactNoticeProps {
  ref: Ref<HTMLDivElement>
  outcome: FormResult
  texts: ViewContent['contact']
}

/** The outcome of the request; stays on the page after the toast has closed. */
export function ContactNotice({ ref, outcome, texts }: ContactNoticeProps) {
  const { language, texts: frame, documentState } = useSite()
  const { brand } = frame
  const { form, sent, failed } = texts
  const { refusal } = outcome
  const faults = refusal?.faults
  const hasFailed = refusal !== undefined
  const isKnown = typeof outcome.sent === 'string'
  const name = (hasFailed || outcome.sent) && { role: 'group', 'aria-labelledby': 'notice-title' }

  useEffect(() => {
    if (!hasFailed) return undefined
    const title = getTitle(texts, brand)
    document.title = `${form.errorPrefix} ${title}`
    return () => {
      document.title = title
    }
  }, [hasFailed, form.errorPrefix, texts, brand])

  return (
    <div ref={ref} className="contact-notice" tabIndex={-1} {...name}>
      {faults && (
        <div className="error-summary">
          <h3 id="notice-title">{fillPlural(form.errorSummary, faults.length, language)}</h3>
          {faults[0].code === 'required' && <p>{describeFault(faults[0], texts.faults)}</p>}
          <ul>
            {sortByField(faults).map((fault) => (
              <li key={fault.field}>
                {isTypedField(fault.field) ? (
                  <a href={`#${fault.field}`}>
                    {fill(form.errorLine, {
                      field: form[fault.field],
                      sentence: describeFieldFault(fault, texts),
                    })}
                  </a>
                ) : (
                  describeFault(fault, texts.faults)
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {refusal && !faults && (
        <div className="error-summary">
          <h3 id="notice-title">{failed.title}</h3>
          <p>{describeRefusal(refusal, { limit: documentState.limit, texts, language })}</p>
        </div>
      )}
      {outcome.sent && (
        <div className="sent-notice">
          <Mark />
          <h3 id="notice-title">{sent.title}</h3>
          {isKnown && (
            <Sentence text={sent.reference} word="{reference}">
              <strong>{outcome.sent}</strong>
            </Sentence>
          )}
          <p>{sent.description}</p>
          <p>{texts.next.answer}</p>
          {isKnown && (
            <Sentence text={sent.keep} word="{phone}">
              <a href={`tel:${company.phone}`}>{formatPhone(company.phone, language)}</a>
            </Sentence>
          )}
        </div>
      )}
    </div>
  )
}

/** A sentence with an element in place of a word. */
function Sentence({ text, word, children }: { text: string; word: string; children: ReactNode }) {
  const [before, after] = text.split(word)
  return (
    <p>
      <span>{before}</span>
      {children}
      <span>{after}</span>
    </p>
  )
}

/** Sorts faults in the order of the form. Faults of the hidden fields come first. */
function sortByField(faults: Fault[]): Fault[] {
  const place = ({ field }: Fault) => FIELDS.indexOf(field)
  return [...faults].sort((one, other) => place(one) - place(other))
}
