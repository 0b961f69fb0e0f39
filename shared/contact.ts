import * as z from 'zod/mini'
import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  MIN_FILL_MS,
  NAME_MAX_LENGTH,
  SERVICE_IDS,
  TRAP_FIELDS,
} from './constants.ts'
import {
  FAULT_CODES,
  type Fault,
  type FaultCode,
  type Faults,
  FIELDS,
  type FieldName,
  type TypedField,
} from './contact-fields.ts'

// Without `jitless` zod tries `new Function`, and the browser logs a violation of the content security policy.
z.config({ jitless: true })

export const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]/
export const EMAIL_LOCAL_PART = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+$/
const DOMAIN =
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** Before the conversion to ASCII, in UTF-16 code units. Valid domains are far shorter. */
const DOMAIN_MAX_LENGTH = 1024

/** The only web API that shared/ uses; Node and browsers both have it. */
declare class URL {
  constructor(url: string)
  readonly hostname: string
}

/** Converts a domain to ASCII (punycode); returns an empty string if it cannot. Does not check an ASCII domain. */
export function toAsciiDomain(domain: string): string {
  if (/^[\w.-]*$/.test(domain)) return domain
  // Punycode takes quadratic time. `new URL` would drop some of these characters and end the host at others.
  if (domain.length > DOMAIN_MAX_LENGTH || /[\p{Cc}\s/?#@:\\[\]%<>^|]/u.test(domain)) return ''
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return ''
  }
}

/** Checks with HTML's pattern for type=email. Unlike HTML, requires a dot in the domain. */
export function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  return (
    at > 0 &&
    EMAIL_LOCAL_PART.test(value.slice(0, at)) &&
    DOMAIN.test(toAsciiDomain(value.slice(at + 1)))
  )
}

const CONTROLS = /(?![\t\n])\p{Cc}/gu
const CONTROLS_IN_A_LINE = /(?![\t\n\v\f\r\u0085])\p{Cc}/gu
const BLANK = /[\s\u0085]/

/** The length in Unicode code points. */
export function countCharacters(text: string): number {
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

function cleanText(value: string): string {
  return compose(value.replace(/\r\n/g, '\n').replace(CONTROLS, ''))
}

const rule = (code: FaultCode, holds: (value: string) => boolean) =>
  z.refine<string>(holds, { error: code, abort: true })

const text = () =>
  z.string({ error: ({ input }) => (input === undefined ? 'required' : 'wrong-type') })
const notEmpty = () => rule('required', (value) => value.trim() !== '')
// Firefox 115 has no isWellFormed. With `u`, \p{Cs} matches lone surrogates only.
const wellFormed = () => rule('broken-text', (value) => !/\p{Cs}/u.test(value))
const line = (maximum: number, ...rules: ReturnType<typeof rule>[]) =>
  text().check(
    z.overwrite(cleanLine),
    notEmpty(),
    ...rules,
    rule('line-break', (value) => !LINE_BREAKS.test(value)),
    rule('too-long', (value) => countCharacters(value) <= maximum),
    wellFormed(),
  )
const trap = () => z._default(z.string({ error: 'wrong-type' }), '')

export const contactSchema = z.object({
  firstName: line(NAME_MAX_LENGTH),
  lastName: line(NAME_MAX_LENGTH),
  email: line(EMAIL_MAX_LENGTH, rule('email-invalid', isEmail)),
  service: z._default(
    z.enum(['', ...SERVICE_IDS], {
      error: ({ input }) => (typeof input === 'string' ? 'unknown-service' : 'wrong-type'),
    }),
    '',
  ),
  message: text().check(
    z.overwrite(cleanText),
    notEmpty(),
    rule('message-too-short', (value) => countCharacters(value.trim()) >= MESSAGE_MIN_LENGTH),
    rule('message-too-long', (value) => countCharacters(value.trim()) <= MESSAGE_MAX_LENGTH),
    wellFormed(),
  ),
  formStartTime: z
    .string({
      error: ({ input }) => (input === undefined ? 'start-time-invalid' : 'wrong-type'),
    })
    .check(rule('start-time-invalid', (value) => /^\d+$/.test(value))),
  website: trap(),
  url: trap(),
  phone_hidden: trap(),
})

/** Names and e-mail are trimmed, the message is not. `trapped` names the filled trap fields. */
export type ContactRequest = Pick<z.infer<typeof contactSchema>, TypedField> & { trapped: string[] }

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
  const { firstName, lastName, email, service, message } = data
  const trapped = TRAP_FIELDS.filter((name) => data[name] !== '')
  return { ok: true, request: { firstName, lastName, email, service, message, trapped } }
}
