import * as z from 'zod'
import {
  FAULT_CODES,
  type FieldRules,
  MIN_FILL_MS,
  mapFields,
  TRAP_FIELDS,
} from '../../shared/contact-fields.ts'
import type { ContactLimit } from '../../shared/contact-limit.ts'
import { contactSchema, EMAIL_LOCAL_PART, LINE_BREAKS } from '../../shared/contact-schema.ts'
import { company } from '../../shared/content/company.ts'
import { en } from '../../shared/content/index.ts'
import { mapKeys } from '../../shared/format.ts'
import { PROBLEMS } from '../../shared/problems.ts'
import { STATUS_CODES } from '../connection/node-http.ts'
import { REFERENCE_PATTERN } from '../inbox/message.ts'
import { PROBLEM_TYPE } from '../requests/problem.ts'

const breaks = LINE_BREAKS.source.slice(1, -1)
const oneLine = `^[^${breaks}]*$`
const oneLineNotEmpty = `^[^${breaks}]*[^\\s\\x00-\\x1f\\x7f-\\x9f${breaks}][^${breaks}]*$`
const local = EMAIL_LOCAL_PART.source.slice(1, -1)

// Of a domain: no ASCII characters but letters and digits.
const letter = '[^\\s\\x00-\\/:-@\\[-`{-\\x7f]'
const domainLabel = `${letter}(?:(?:${letter}|-){0,61}${letter})?`

const KINDS: Record<FieldRules['kind'], (rules: FieldRules) => object> = {
  line: ({ isRequired, maxLength }) => ({
    maxLength,
    ...(isRequired ? { minLength: 1, pattern: oneLineNotEmpty } : { pattern: oneLine }),
  }),
  email: ({ maxLength }) => ({
    maxLength,
    pattern: `^\\s*${local}@${domainLabel}(?:\\.${domainLabel})+\\s*$`,
  }),
  choice: () => ({}),
  text: ({ minLength = 0, maxLength = 0 }) => ({
    pattern: `^\\s*\\S[\\s\\S]{${minLength - 2},${maxLength - 2}}\\S\\s*$`,
  }),
}

/** Additions to the JSON Schema of `contactSchema`. The server has further checks. */
const FIELDS: Record<string, object> = {
  ...mapFields((_, rules) => KINDS[rules.kind](rules)),
  formStartTime: {
    description: `When the form was opened, in ms since 1970: at least ${MIN_FILL_MS} ms ago.`,
    pattern: '^\\d+$',
  },
  ...mapKeys(TRAP_FIELDS, () => ({ description: 'A trap for robots.', maxLength: 0 })),
} satisfies Record<keyof z.input<typeof contactSchema>, object>

const RECEIPT = z.object({
  reference: z.string().regex(REFERENCE_PATTERN),
  receivedAt: z.string().meta({ format: 'date-time' }),
})

const PROBLEM = z.object({
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
      for (const [field, words] of Object.entries(FIELDS)) {
        Object.assign(jsonSchema.properties?.[field] ?? {}, words)
      }
    },
  })
  return rest
}

const refer = (type: string, schema: string) => ({
  [type]: { schema: { $ref: `#/components/schemas/${schema}` } },
})

const describeHeaders = <Name extends string>(...names: Name[]) =>
  mapKeys(names, () => ({ schema: { type: 'string' } }))

const HEADERS = describeHeaders('X-Request-Id', 'RateLimit', 'RateLimit-Policy')
const REFUSAL_HEADERS = {
  ...HEADERS,
  ...describeHeaders(
    'Content-Language',
    'Problem-Code',
    'Retry-After',
    'Form-Start-Time',
    'Accept',
  ),
}

/** A POST to /api/contact never causes these problems. */
const OF_OTHER_CALLS = ['bad-path', 'not-found', 'method-not-allowed']

/** One response for each status; its description names the codes. */
function createRefusals() {
  const codes = [...FAULT_CODES.map((code) => [code, 400] as const), ...Object.entries(PROBLEMS)]
  const ofCall = codes.filter(([code]) => !OF_OTHER_CALLS.includes(code))
  const refusals = [...Map.groupBy(ofCall, ([, status]) => status)].map(([status, group]) => {
    const names = group.map(([code]) => `\`${code}\``).join(', ')
    const refusal = {
      description: `${STATUS_CODES[status]}. Codes: ${names}.`,
      headers: REFUSAL_HEADERS,
      content: { ...refer(PROBLEM_TYPE, 'Problem'), 'text/plain': { schema: { type: 'string' } } },
    }
    return [status, refusal] as const
  })
  return Object.fromEntries(refusals)
}

export function createOpenApi(origin: string, limit: ContactLimit) {
  const post = {
    operationId: 'sendContactRequest',
    summary: 'Sends a request for information',
    description: `Lengths are in Unicode code points, of trimmed and composed (NFC) values. An IP address (IPv6: its /56) may send ${limit.count} messages in ${limit.windowMinutes} minutes.`,
    parameters: [
      {
        name: 'Accept-Language',
        in: 'header',
        description: 'The language of `detail`: English if it is preferred to French.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: refer('application/json', 'ContactRequest') },
    responses: {
      200: {
        description: 'The message is stored, now or earlier.',
        headers: HEADERS,
        content: refer('application/json', 'Receipt'),
      },
      ...createRefusals(),
    },
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${en.brand.name} website`,
      version: '1.0.0',
      contact: { name: company.legalName.en, email: company.email },
    },
    servers: [{ url: origin }],
    // No call needs a login.
    security: [],
    paths: { '/api/contact': { post } },
    components: {
      schemas: {
        ContactRequest: toJsonSchema(contactSchema),
        Receipt: toJsonSchema(RECEIPT),
        Problem: toJsonSchema(PROBLEM),
      },
    },
  }
}
