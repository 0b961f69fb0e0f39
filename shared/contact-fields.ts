import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  NAME_MAX_LENGTH,
  TRAP_FIELDS,
} from './constants.ts'

/** A `choice` is one of SERVICE_IDS, or empty; a `text` has several lines. Lengths are in Unicode code points. */
export interface FieldRules {
  kind: 'line' | 'email' | 'choice' | 'text'
  isRequired: boolean
  minLength?: number
  maxLength?: number
  autoComplete?: string
}

/** The visible fields, in the order of the form. Schema, form, API, store, mail, exports and inbox command follow it. */
export const CONTACT_FIELDS = {
  firstName: {
    kind: 'line',
    isRequired: true,
    maxLength: NAME_MAX_LENGTH,
    autoComplete: 'given-name',
  },
  lastName: {
    kind: 'line',
    isRequired: true,
    maxLength: NAME_MAX_LENGTH,
    autoComplete: 'family-name',
  },
  email: { kind: 'email', isRequired: true, maxLength: EMAIL_MAX_LENGTH, autoComplete: 'email' },
  service: { kind: 'choice', isRequired: false },
  message: {
    kind: 'text',
    isRequired: true,
    minLength: MESSAGE_MIN_LENGTH,
    maxLength: MESSAGE_MAX_LENGTH,
  },
} as const satisfies Record<string, FieldRules>

export type TypedField = keyof typeof CONTACT_FIELDS
export const TYPED_FIELDS = Object.keys(CONTACT_FIELDS) as TypedField[]

/** Makes a value for each typed field. */
export function mapFields<Value>(
  make: (name: TypedField, rules: FieldRules) => Value,
): Record<TypedField, Value> {
  const entries = TYPED_FIELDS.map((name) => [name, make(name, CONTACT_FIELDS[name])])
  return Object.fromEntries(entries)
}

/** The form's error summary lists the faults in this order. */
export const FIELDS = ['formStartTime', ...TRAP_FIELDS, ...TYPED_FIELDS] as const
export type FieldName = (typeof FIELDS)[number]

export function isTypedField(field: FieldName): field is TypedField {
  return TYPED_FIELDS.some((typed) => typed === field)
}

/** The most important code is first, because the toast shows the first fault only. */
export const FAULT_CODES = [
  'too-fast',
  'required',
  'email-invalid',
  'message-too-short',
  'message-too-long',
  'wrong-type',
  'unknown-service',
  'start-time-invalid',
  'line-break',
  'too-long',
  'broken-text',
] as const
export type FaultCode = (typeof FAULT_CODES)[number]

export interface Fault {
  field: FieldName
  code: FaultCode
}

/** Faults in the order of FAULT_CODES, at most one for each field. */
export type Faults = [Fault, ...Fault[]]
