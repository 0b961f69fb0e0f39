import * as z from 'zod'
import {
  EMAIL_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  MINIMUM_FILL_TIME,
  NAME_MAX_LENGTH,
} from '../../../shared/constants.ts'
import { contactSchema, EMAIL_LOCAL_PART, LINE_BREAKS } from '../../../shared/contact.ts'

type Field = keyof z.input<typeof contactSchema>

const breaks = LINE_BREAKS.source.slice(1, -1)
const oneLine = `^[^${breaks}]*$`
const notEmpty = '\\S'
const local = EMAIL_LOCAL_PART.source.slice(1, -1)

const name = (whose: string) => ({
  description: `${whose}, on one line; kept without spaces at its ends.`,
  minLength: 1,
  maxLength: NAME_MAX_LENGTH,
  allOf: [{ pattern: oneLine }, { pattern: notEmpty }],
})

const trap = {
  description: 'A trap for robots, which people never see: leave it empty, or out.',
  maxLength: 0,
}

/**
 * What the schema's checks say, in the words of JSON Schema, whose lengths are counted in code points, too.
 * Whatever keeps to it is accepted, save for what only a look at the domain can tell of an e-mail address.
 */
const FIELDS: Record<Field, Record<string, unknown>> = {
  firstName: name('First name'),
  lastName: name('Last name'),
  email: {
    description:
      'E-mail address by the pattern of HTML’s type=email, with a dot in the domain, which may be international; kept as typed.',
    maxLength: EMAIL_MAX_LENGTH,
    pattern: `^${local}@[^\\s@]+\\.[^\\s@]+$`,
  },
  service: { description: 'What the request is about; empty when it is about no service alone.' },
  message: {
    description: 'The message, kept as typed; its length counts without spaces at its ends.',
    minLength: MESSAGE_MIN_LENGTH,
    maxLength: MESSAGE_MAX_LENGTH,
    pattern: notEmpty,
  },
  formStartTime: {
    description: `When the form was opened, in ms since 1970, as a string of digits: at least ${MINIMUM_FILL_TIME} ms ago by the server’s clock.`,
    pattern: '^\\d+$',
  },
  website: trap,
  url: trap,
  phone_hidden: trap,
}

/** The body of a contact request as JSON Schema, from the schema that checks it. */
export function createRequestSchema() {
  const { $schema, ...schema } = z.toJSONSchema(contactSchema, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      const [parent, field = ''] = path
      if (path.length === 2 && parent === 'properties') {
        Object.assign(jsonSchema, FIELDS[field as Field])
      }
    },
  })
  return { description: 'A request for information. Unknown keys are ignored.', ...schema }
}
