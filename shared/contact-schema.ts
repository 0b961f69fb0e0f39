import * as z from 'zod/mini'
import {
  FAULT_CODES,
  type Fault,
  type FaultCode,
  type Faults,
  FIELDS,
  type FieldName,
  type FieldRules,
  MIN_FILL_MS,
  mapFields,
  TRAP_FIELDS,
  type TypedField,
} from './contact-fields.ts'
import { mapKeys } from './format.ts'
import { SERVICE_IDS } from './sectors.ts'

// Without `jitless` zod tries `new Function`, and the browser logs a violation of the content security policy.
z.config({ jitless: true })

export const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]/
/** HTML's local part; labels of letters, marks, digits and hyphens; a last label of two characters or more, one of them a letter. */
export const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[\p{L}\p{M}\d]+(?:-+[\p{L}\p{M}\d]+)*\.)+(?=[^.]*\p{L})(?=..)[\p{L}\p{M}\d]+(?:-+[\p{L}\p{M}\d]+)*$/u

/** Characters without a picture of their own, which a keyboard or a copied page adds around an address. */
export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

export const isEmail = (value: string): boolean => EMAIL.test(value)

const CONTROLS = /(?![\t\n])\p{Cc}/gu
const CONTROLS_IN_A_LINE = /(?![\t\n\v\f\r\u0085])\p{Cc}/gu
const BLANK = /[\s\u0085]/

/** The length in Unicode code points. */
function countCharacters(text: string): number {
  return [...text].length
}

/** normalize() takes quadratic time for combining marks on one letter. UAX 15, Stream-Safe Text Format, allows 30. */
function compose(text: string): string {
  return text.replace(/\P{M}*\p{M}{0,30}/gu, (piece) => piece.normalize('NFC'))
}

/** Removes white space and U+0085 at both ends. A regular expression would take quadratic time for the end. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && BLANK.test(text.charAt(start))) start += 1
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Keeps line breaks inside the value, so that the schema can report `line-break`. */
function cleanLine(value: string): string {
  return trim(compose(value.replace(CONTROLS_IN_A_LINE, '')))
}

function cleanEmail(value: string): string {
  return cleanLine(value.replace(INVISIBLE, ''))
}

function cleanText(value: string): string {
  return compose(value.replace(/\r\n/g, '\n').replace(CONTROLS, ''))
}

type Rule = (code: FaultCode, holds: (value: string) => boolean) => z.core.$ZodCheck<string>

const rule: Rule = (code, holds) => z.refine(holds, { error: code, abort: true })

/** The rules of an optional field accept an empty value. */
const toRule =
  ({ isRequired }: FieldRules): Rule =>
  (code, holds) =>
    rule(code, (value) => (!isRequired && value.trim() === '') || holds(value))

const text = () =>
  z.string({ error: ({ input }) => (input === undefined ? 'required' : 'wrong-type') })
// U+2800, a Braille pattern without dots, is blank too.
const notEmpty = (check: Rule) =>
  check('required', (value) => value.replace(INVISIBLE, '').replace(/[\s\u2800]/g, '') !== '')
// Firefox 115 has no isWellFormed. With `u`, \p{Cs} matches lone surrogates only.
const wellFormed = (check: Rule) => check('broken-text', (value) => !/\p{Cs}/u.test(value))

function line({ maxLength = 0, ...rules }: FieldRules) {
  const check = toRule(rules)
  return text().check(
    z.overwrite(rules.kind === 'email' ? cleanEmail : cleanLine),
    notEmpty(check),
    ...(rules.kind === 'email' ? [check('email-invalid', isEmail)] : []),
    check('line-break', (value) => !LINE_BREAKS.test(value)),
    check('too-long', (value) => countCharacters(value) <= maxLength),
    wellFormed(check),
  )
}

function lines({ minLength = 0, maxLength = 0, ...rules }: FieldRules) {
  const check = toRule(rules)
  return text().check(
    z.overwrite(cleanText),
    notEmpty(check),
    check('message-too-short', (value) => countCharacters(value.trim()) >= minLength),
    check('message-too-long', (value) => countCharacters(value.trim()) <= maxLength),
    wellFormed(check),
  )
}

const choice = () =>
  z.enum(['', ...SERVICE_IDS], {
    error: ({ input }) => (typeof input === 'string' ? 'unknown-service' : 'wrong-type'),
  })

const KINDS: Record<FieldRules['kind'], (rules: FieldRules) => z.ZodMiniType<string>> = {
  ...{ line, choice },
  email: line,
  text: lines,
}

function createField(rules: FieldRules) {
  const schema = KINDS[rules.kind](rules)
  return rules.isRequired ? schema : z._default(schema, '')
}

const trap = () => z._default(z.string({ error: 'wrong-type' }), '')

export const contactSchema = z.object({
  ...mapFields((_, rules) => createField(rules)),
  formStartTime: z
    .string({
      error: ({ input }) => (input === undefined ? 'start-time-invalid' : 'wrong-type'),
    })
    .check(rule('start-time-invalid', (value) => /^\d+$/.test(value))),
  ...mapKeys(TRAP_FIELDS, trap),
})

/** Names and e-mail are trimmed, the message is not. `trapped` names the filled trap fields. */
export type ContactRequest = Record<TypedField, string> & { trapped: string[] }

/** `now` is in epoch ms; `formStartTime` may come from another clock. */
export function checkContact(
  input: Record<string, unknown>,
  now: number,
): { ok: true; request: ContactRequest } | { ok: false; faults: Faults } {
  const { success, data, error } = contactSchema.safeParse(input)
  const faults = new Map<FieldName, Fault>()
  const { formStartTime } = input
  if (typeof formStartTime === 'string' && /^\d+$/.test(formStartTime)) {
    if (now - Number(formStartTime) < MIN_FILL_MS) {
      faults.set('formStartTime', { field: 'formStartTime', code: 'too-fast' })
    }
  }
  for (const issue of error?.issues ?? []) {
    const field = FIELDS.find((name) => name === issue.path[0])
    const code = FAULT_CODES.find((each) => each === issue.message)
    if (field && code && !faults.has(field)) faults.set(field, { field, code })
  }
  const [first, ...rest] = [...faults.values()].sort(
    (a, b) => FAULT_CODES.indexOf(a.code) - FAULT_CODES.indexOf(b.code),
  )
  if (first) return { ok: false, faults: [first, ...rest] }
  if (!success) throw error
  const typed = mapFields((name) => data[name])
  return { ok: true, request: { ...typed, trapped: TRAP_FIELDS.filter((name) => data[name]) } }
}
