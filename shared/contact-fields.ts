import { mapKeys } from './format.ts'

/** A form that is sent sooner after it was opened is refused, because robots fill it in at once. */
export const MIN_FILL_MS = 3000

/** Hidden fields that people leave empty and bots fill. */
export const TRAP_FIELDS = ['website', 'url', 'phone_hidden'] as const

/** A `choice` is one of SERVICE_IDS, or empty; a `text` has several lines. Lengths are in Unicode code points. */
export interface FieldRules {
  kind: 'line' | 'email' | 'choice' | 'text'
  isRequired: boolean
  minLength?: number
  maxLength?: number
  autoComplete?: string
}

/** The visible fields, in the order of the form. Schema, API, exports and inbox command are made from them. */
export const CONTACT_FIELDS = {
  firstName: {
    kind: 'line',
    isRequired: true,
    maxLength: 100,
    autoComplete: 'given-name',
  },
  lastName: {
    kind: 'line',
    isRequired: true,
    maxLength: 100,
    autoComplete: 'family-name',
  },
  email: { kind: 'email', isRequired: true, maxLength: 254, autoComplete: 'email' },
  service: { kind: 'choice', isRequired: false },
  message: {
    kind: 'text',
    isRequired: true,
    minLength: 10,
    maxLength: 2000,
  },
} as const satisfies Record<string, FieldRules>

export type TypedField = keyof typeof CONTACT_FIELDS
export const TYPED_FIELDS = Object.keys(CONTACT_FIELDS) as TypedField[]

/** Makes a value for each typed field. */
export function mapFields<Value>(
  make: (name: TypedField, rules: FieldRules) => Value,
): Record<TypedField, Value> {
  return mapKeys(TYPED_FIELDS, (name) => make(name, CONTACT_FIELDS[name]))
}

/** All fields of a request. */
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
