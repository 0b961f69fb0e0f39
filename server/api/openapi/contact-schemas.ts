import * as z from 'zod'
import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  MIN_FILL_MS,
  NAME_MAX_LENGTH,
  REPEAT_HOURS,
} from '../../../shared/constants.ts'
import { contactSchema, EMAIL_LOCAL_PART, LINE_BREAKS } from '../../../shared/contact.ts'

const breaks = LINE_BREAKS.source.slice(1, -1)
const notEmpty = '\\S'
const oneLineNotEmpty = `^[^${breaks}]*[^\\s${breaks}][^${breaks}]*$`
const local = EMAIL_LOCAL_PART.source.slice(1, -1)

const name = (description: string) => ({
  description: `${description}, on one line; stored without spaces at its ends.`,
  minLength: 1,
  maxLength: NAME_MAX_LENGTH,
  pattern: oneLineNotEmpty,
})

const trap = {
  description: 'A trap for robots, invisible to people: leave it empty, or out.',
  maxLength: 0,
}

/**
 * The checks of the schema in the words of JSON Schema. The server accepts every body that meets these checks,
 * except an e-mail address whose domain is not valid.
 */
const FIELDS: Record<string, object> = {
  firstName: name('First name'),
  lastName: name('Last name'),
  email: {
    description:
      'E-mail address by the pattern of HTML’s type=email, with a dot in the domain. The domain may be international. Stored as typed.',
    maxLength: EMAIL_MAX_LENGTH,
    pattern: `^${local}@[^\\s@]+\\.[^\\s@]+$`,
  },
  service: { description: 'The service that the request is about; empty for no single service.' },
  message: {
    description: 'The message, stored as typed. Its length is counted without spaces at its ends.',
    minLength: MESSAGE_MIN_LENGTH,
    maxLength: MESSAGE_MAX_LENGTH,
    pattern: notEmpty,
  },
  formStartTime: {
    description: `The time when the form was opened, in ms since 1970, as a string of digits: at least ${MIN_FILL_MS} ms ago by the server’s clock.`,
    pattern: '^\\d+$',
  },
  website: trap,
  url: trap,
  phone_hidden: trap,
} satisfies Record<keyof z.input<typeof contactSchema>, object>

/** The body of a contact request as JSON Schema, from the schema that checks it. */
export function createRequestSchema() {
  const { $schema, ...schema } = z.toJSONSchema(contactSchema, {
    io: 'input',
    override: ({ jsonSchema, path: [parent, field = '', ...rest] }) => {
      // Client generators would treat a field with a default value as required.
      delete jsonSchema.default
      if (parent === 'properties' && rest.length === 0) Object.assign(jsonSchema, FIELDS[field])
    },
  })
  return { description: 'A request for information. Unknown keys are ignored.', ...schema }
}

const header = (name: string, description: string, more: object = {}) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...more },
})

export const PARAMETERS = [
  header('Idempotency-Key', `Makes a request safe to repeat for ${REPEAT_HOURS} h.`, {
    pattern: '^[\\x21-\\x7e]{1,255}$',
  }),
  {
    ...header('Accept-Language', 'The language of the sentences; French unless English is first.'),
    example: 'en',
  },
  {
    name: 'rg-language',
    in: 'cookie',
    description: 'The language that the visitor chose; it takes precedence over Accept-Language.',
    schema: { type: 'string', enum: ['fr', 'en'] },
  },
]

export const RECEIPT_SCHEMA = {
  type: 'object',
  required: ['reference', 'receivedAt'],
  properties: {
    reference: {
      type: 'string',
      description: 'Identifies the message, for example in a telephone call.',
      pattern: '^RG-[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$',
    },
    receivedAt: {
      type: 'string',
      format: 'date-time',
      description: 'The time when the message was stored; for a repeated message, the first time.',
    },
  },
}
