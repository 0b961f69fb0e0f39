import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from './constants.ts'
import type { Fault } from './contact.ts'
import type { Company, Contact } from './content/content.ts'
import { companyValues, fill, fillPlural } from './format.ts'
import type { Language } from './language.ts'
import type { ContactLimit, Problem } from './page-state.ts'
import type { ProblemCode } from './problems.ts'

function describeWindow(minutes: number, texts: Contact['form']['window']): string {
  if (minutes === 1) return texts.minute
  if (minutes === 60) return texts.hour
  if (minutes === 24 * 60) return texts.day
  return minutes % 60 === 0
    ? fill(texts.hours, { hours: minutes / 60 })
    : fill(texts.minutes, { minutes })
}

/** "2 messages per hour", from the numbers in force. */
export function describeLimit(
  limit: ContactLimit,
  { contact: { form } }: { contact: Pick<Contact, 'form'> },
  language: Language,
): string {
  const count = fillPlural(form.limit, limit.count, language)
  return `${count} ${describeWindow(limit.windowMinutes, form.window)}`
}

/** The sentence of a fault of the contact form. */
export function describeFault(
  { field, code }: Fault,
  { contact }: { contact: Pick<Contact, 'faults'> },
): string {
  const max = field === 'email' ? EMAIL_MAX_LENGTH : NAME_MAX_LENGTH
  return fill(contact.faults[code], { max })
}

/** The same at its field, where an empty field is told what is missing. */
export function describeFieldFault(
  fault: Fault,
  { contact }: { contact: Pick<Contact, 'faults' | 'form'> },
): string {
  const missing: Partial<Record<string, string>> = contact.form.missing
  const own = fault.code === 'required' ? missing[fault.field] : undefined
  return own ?? describeFault(fault, { contact })
}

interface ProblemParts {
  company: Company
  limit: ContactLimit
  texts: Pick<Contact, 'form' | 'failed'> & { problems: Partial<Record<ProblemCode, string>> }
  language: Language
}

/** The sentence of a refusal, as section 8 of the specification has it where a script was refused. */
export function describeProblem(problem: Problem, parts: ProblemParts): string {
  const { code, minutes = 1, status, sentence } = problem
  const { company, limit, texts, language } = parts
  const known = code && texts.problems[code]
  if (!known) return sentence ?? texts.failed.description
  const text = fill(known, {
    ...companyValues(company, language),
    limit: describeLimit(limit, { contact: texts }, language),
    minutes,
  })
  return status ? `${status}: ${text}` : text
}
