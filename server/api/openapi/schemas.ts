import * as z from 'zod'
import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  MIN_FILL_MS,
  NAME_MAX_LENGTH,
} from '../../../shared/constants.ts'
import { contactSchema, EMAIL_LOCAL_PART, LINE_BREAKS } from '../../../shared/contact.ts'
import { FAULT_CODES } from '../../../shared/contact-fields.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import { REFERENCE_PATTERN } from '../../inbox/message.ts'

const breaks = LINE_BREAKS.source.slice(1, -1)
const oneLineNotEmpty = `^[^${breaks}]*[^\\s${breaks}][^${breaks}]*$`
const local = EMAIL_LOCAL_PART.source.slice(1, -1)

const name = (description: string) => ({
  description: `${description}, on one line; stored without spaces at its ends.`,
  minLength: 1,
  maxLength: NAME_MAX_LENGTH,
  pattern: oneLineNotEmpty,
})

const trap = {
  description: 'A trap for robots, invisible to people: leave it empty, or leave it out.',
  maxLength: 0,
}

/** Additions to the JSON Schema of `contactSchema`. The server has further checks. */
const FIELDS: Record<string, object> = {
  firstName: name('First name'),
  lastName: name('Last name'),
  email: {
    description:
      'E-mail address by the pattern of HTML’s type=email, with a dot in the domain. The domain may be international. Stored in NFC, without spaces at its ends.',
    maxLength: EMAIL_MAX_LENGTH,
    pattern: `^${local}@[^\\s@]+\\.[^\\s@]+$`,
  },
  service: {
    description: 'The service that the request is about; empty if there is none, or more than one.',
  },
  message: {
    description:
      'The message. Stored in NFC, without control characters except tabs and line feeds. Its length is counted without spaces at its ends.',
    minLength: MESSAGE_MIN_LENGTH,
    maxLength: MESSAGE_MAX_LENGTH,
    pattern: '\\S',
  },
  formStartTime: {
    description: `The time when the form was opened, in ms since 1970, as a string of digits: at least ${MIN_FILL_MS} ms ago by the server’s clock.`,
    pattern: '^\\d+$',
  },
  website: trap,
  url: trap,
  phone_hidden: trap,
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
