import * as z from 'zod'
import {
  FAULT_CODES,
  type FieldRules,
  MIN_FILL_MS,
  mapFields,
  TRAP_FIELDS,
} from '../../../shared/contact-fields.ts'
import { contactSchema, EMAIL_LOCAL_PART, LINE_BREAKS } from '../../../shared/contact-schema.ts'
import { en } from '../../../shared/content/index.ts'
import { mapKeys } from '../../../shared/format.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import { REFERENCE_PATTERN } from '../../inbox/message.ts'

const breaks = LINE_BREAKS.source.slice(1, -1)
const oneLine = `^[^${breaks}]*$`
const oneLineNotEmpty = `^[^${breaks}]*[^\\s\\x00-\\x1f\\x7f-\\x9f${breaks}][^${breaks}]*$`
const local = EMAIL_LOCAL_PART.source.slice(1, -1)

// Of a domain: no ASCII characters but letters and digits.
const letter = '[^\\s\\x00-\\/:-@\\[-`{-\\x7f]'
const domainLabel = `${letter}(?:(?:${letter}|-){0,61}${letter})?`

type Describe = (rules: FieldRules, label: string) => object

const KINDS: Record<FieldRules['kind'], Describe> = {
  line: ({ isRequired, maxLength }, label) => ({
    description: `${label}, on one line; stored without spaces at its ends.`,
    maxLength,
    ...(isRequired ? { minLength: 1, pattern: oneLineNotEmpty } : { pattern: oneLine }),
  }),
  email: ({ maxLength }) => ({
    description:
      'E-mail address by the pattern of HTML’s type=email, with a dot in the domain. The domain may be international. Stored in NFC, without spaces at its ends.',
    maxLength,
    pattern: `^\\s*${local}@${domainLabel}(?:\\.${domainLabel})+\\s*$`,
  }),
  choice: () => ({
    description: 'The service that the request is about; empty if there is none, or more than one.',
  }),
  text: ({ minLength = 0, maxLength = 0 }, label) => ({
    description: `${label}. Stored in NFC, without control characters except tabs and line feeds. It has ${minLength} to ${maxLength} characters, without spaces at its ends.`,
    pattern: `^\\s*\\S[\\s\\S]{${minLength - 2},${maxLength - 2}}\\S\\s*$`,
  }),
}

const trap = {
  description: 'A trap for robots, invisible to people: leave it empty, or leave it out.',
  maxLength: 0,
}

/** Additions to the JSON Schema of `contactSchema`. The server has further checks. */
const FIELDS: Record<string, object> = {
  ...mapFields((name, rules) => KINDS[rules.kind](rules, en.contact.form[name])),
  formStartTime: {
    description: `The time when the form was opened, in ms since 1970, as a string of digits: at least ${MIN_FILL_MS} ms ago by the server’s clock.`,
    pattern: '^\\d+$',
  },
  ...mapKeys(TRAP_FIELDS, () => trap),
} satisfies Record<keyof z.input<typeof contactSchema>, object>

const RECEIPT = z.object({
  reference: z
    .string()
    .regex(REFERENCE_PATTERN)
    .describe('Identifies the message, for example in a telephone call.'),
  receivedAt: z.string().meta({
    format: 'date-time',
    description: 'The time when the message was stored; for a repeat, that of the first message.',
  }),
})

const FAULT = z.object({
  field: z.string().describe('The name of the field.'),
  code: z.enum(FAULT_CODES),
  detail: z.string().describe('The fault as a sentence.'),
})

const PROBLEM = z.object({
  type: z.literal('about:blank'),
  title: z.string().describe('The name of the status.'),
  status: z.int().min(400).max(599),
  detail: z.string().describe('The reason as a sentence, in the language of Content-Language.'),
  code: z.enum([...FAULT_CODES, ...Object.keys(PROBLEMS)]).describe('The reason as a code.'),
  errors: z
    .array(FAULT)
    .min(1)
    .optional()
    .describe('At most one fault for each field; `detail` of the problem is that of the first.'),
  requestId: z
    .string()
    .meta({ format: 'uuid', description: 'Identifies the request in the log of the site.' }),
})

function toJsonSchema(schema: z.core.$ZodType, description: string) {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // Client generators would treat a field with a default value as required.
      delete jsonSchema.default
      if (zodSchema !== contactSchema) return
      for (const [field, words] of Object.entries(FIELDS)) {
        Object.assign(jsonSchema.properties?.[field] ?? {}, words)
      }
    },
  })
  return { description, ...rest }
}

export const createSchemas = () => ({
  ContactRequest: toJsonSchema(
    contactSchema,
    'A request for information. Unknown keys are ignored.',
  ),
  Receipt: toJsonSchema(RECEIPT, 'The message is stored.'),
  Problem: toJsonSchema(PROBLEM, 'The reason for a refusal (RFC 9457).'),
})
