import { TRAP_FIELDS } from './constants.ts'

/** The visible fields, in the order of the form. */
export const TYPED_FIELDS = ['firstName', 'lastName', 'email', 'service', 'message'] as const
export type TypedField = (typeof TYPED_FIELDS)[number]

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
