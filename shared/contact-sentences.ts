import {
  CONTACT_FIELDS,
  type Fault,
  type FieldName,
  type FieldRules,
  isTypedField,
} from './contact-fields.ts'
import type { ContactLimit } from './contact-limit.ts'
import { company } from './content/company.ts'
import type { Contact } from './content/index.ts'
import { fill, fillPlural, getCompanyValues } from './format.ts'
import type { Language } from './language.ts'
import type { ContactRefusal } from './page-state.ts'
import type { ProblemCode } from './problems.ts'

function describeWindow(minutes: number, window: Contact['form']['window']): string {
  if (minutes === 1) return window.minute
  if (minutes === 60) return window.hour
  if (minutes === 24 * 60) return window.day
  return minutes % 60 === 0
    ? fill(window.hours, { hours: minutes / 60 })
    : fill(window.minutes, { minutes })
}

/** Returns a text such as `2 messages per hour`. */
export function describeLimit(
  { count, windowMinutes }: ContactLimit,
  form: Pick<Contact['form'], 'limit' | 'window'>,
  language: Language,
): string {
  return `${fillPlural(form.limit, count, language)} ${describeWindow(windowMinutes, form.window)}`
}

export function describeFault({ field, code }: Fault, faults: Contact['faults']): string {
  const rules: FieldRules | undefined = isTypedField(field) ? CONTACT_FIELDS[field] : undefined
  return fill(faults[code], { max: rules?.maxLength })
}

/** The sentence for the fault of a field. Each required field has its own sentence for the fault `required`. */
export function describeFieldFault(
  fault: Fault,
  { form, faults }: Pick<Contact, 'faults' | 'form'>,
): string {
  const missing: Partial<Record<FieldName, string>> = form.missing
  const own = fault.code === 'required' ? missing[fault.field] : undefined
  return own ?? describeFault(fault, faults)
}

interface SentenceOptions {
  limit: ContactLimit
  texts: Pick<Contact, 'form' | 'failed' | 'faults'> & {
    problems: Partial<Record<ProblemCode, string>>
  }
  language: Language
}

/** Explains a refusal by its first fault, otherwise its code, otherwise the server's sentence, or else in general. */
export function describeRefusal(refusal: ContactRefusal, options: SentenceOptions): string {
  const { code = '', faults, retryAfterSeconds = 60, status, sentence } = refusal
  const { limit, texts, language } = options
  if (faults) return describeFault(faults[0], texts.faults)
  // A Map has no inherited keys, such as `constructor`.
  const known = new Map(Object.entries(texts.problems)).get(code)
  if (!known) return sentence ?? texts.failed.description
  const text = fill(known, {
    ...getCompanyValues(company, language),
    limit: describeLimit(limit, texts.form, language),
    minutes: Math.ceil(retryAfterSeconds / 60),
  })
  return status ? `${status}: ${text}` : text
}
