import * as z from 'zod'
import {
  FAULT_CODES,
  type FieldRules,
  MIN_FILL_MS,
  mapFields,
  TRAP_FIELDS,
} from '../../shared/contact-fields.ts'
import type { ContactLimit } from '../../shared/contact-limit.ts'
import { contactSchema, EMAIL, LINE_BREAKS } from '../../shared/contact-schema.ts'
import { en } from '../../shared/content/index.ts'
import { mapKeys } from '../../shared/format.ts'
import { PROBLEMS } from '../../shared/problems.ts'
import { REFERENCE_PATTERN } from '../inbox/message.ts'
import { PROBLEM_TYPE } from '../requests/problem.ts'

const breaks = LINE_BREAKS.source.slice(1, -1)
const oneLine = `^[^${breaks}]*$`
const oneLineNotEmpty = `^[^${breaks}]*[^\\s\\x00-\\x1f\\x7f-\\x9f${breaks}][^${breaks}]*$`

/** Rules of `contactSchema` that zod cannot write as JSON Schema, because they are functions. */
const RULES: Record<FieldRules['kind'], (rules: FieldRules) => object> = {
  line: ({ isRequired, maxLength }) => ({
    maxLength,
    ...(isRequired ? { minLength: 1, pattern: oneLineNotEmpty } : { pattern: oneLine }),
  }),
  email: ({ maxLength }) => ({ maxLength, pattern: EMAIL.source }),
  choice: () => ({}),
  text: ({ minLength = 0, maxLength = 0 }) => ({
    pattern: `^\\s*\\S[\\s\\S]{${minLength - 2},${maxLength - 2}}\\S\\s*$`,
  }),
}

const FIELDS: Record<string, object> = {
  ...mapFields((_, rules) => RULES[rules.kind](rules)),
  formStartTime: {
    description: `When the form was opened, in ms since 1970: at least ${MIN_FILL_MS} ms ago.`,
    pattern: '^\\d+$',
  },
  ...mapKeys(TRAP_FIELDS, () => ({ description: 'A trap for robots.', maxLength: 0 })),
}

const receipt = z.object({
  reference: z.string().regex(REFERENCE_PATTERN),
  receivedAt: z.string().meta({ format: 'date-time' }),
})

const problem = z.object({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  code: z.enum([...FAULT_CODES, ...Object.keys(PROBLEMS)]),
  errors: z
    .array(z.object({ field: z.string(), code: z.enum(FAULT_CODES), detail: z.string() }))
    .min(1)
    .optional(),
  requestId: z.string().meta({ format: 'uuid' }),
})

function toJsonSchema(schema: z.core.$ZodType) {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // Client generators would treat a field with a default value as required.
      delete jsonSchema.default
      if (zodSchema !== contactSchema) return
      for (const [field, rules] of Object.entries(FIELDS)) {
        Object.assign(jsonSchema.properties?.[field] ?? {}, rules)
      }
    },
  })
  return rest
}

const refer = (type: string, schema: string) => ({
  [type]: { schema: { $ref: `#/components/schemas/${schema}` } },
})

/** The OpenAPI document of POST /api/contact. docs/api.md describes the headers. */
export function createOpenApi(origin: string, limit: ContactLimit) {
  const post = {
    operationId: 'sendContactRequest',
    summary: 'Sends a request for information',
    description: `Lengths are in Unicode code points. Rules are for trimmed and composed (NFC) values, an e-mail without invisible characters. An IP address (IPv6: its /56) may send ${limit.count} messages in ${limit.windowMinutes} minutes.`,
    requestBody: { required: true, content: refer('application/json', 'ContactRequest') },
    responses: {
      200: {
        description: 'The message is stored, now or earlier.',
        content: refer('application/json', 'Receipt'),
      },
      '4XX': { description: 'Refused; see `code`.', content: refer(PROBLEM_TYPE, 'Problem') },
      '5XX': { description: 'Not stored; try again.', content: refer(PROBLEM_TYPE, 'Problem') },
    },
  }
  return {
    openapi: '3.1.0',
    info: { title: `${en.brand.name} website`, version: '1.0.0' },
    servers: [{ url: origin }],
    // No call needs a login.
    security: [],
    paths: { '/api/contact': { post } },
    components: {
      schemas: {
        ContactRequest: toJsonSchema(contactSchema),
        Receipt: toJsonSchema(receipt),
        Problem: toJsonSchema(problem),
      },
    },
  }
}
