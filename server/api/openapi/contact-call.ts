import {
  MAX_CONTACT_BYTES,
  REFUSAL_LIMIT,
  REPEAT_HOURS,
  SERVICE_IDS,
} from '../../../shared/constants.ts'
import { FAULT_CODES } from '../../../shared/contact-faults.ts'
import type { ContactLimit } from '../../../shared/page-state.ts'
import { PARAMETERS } from './contact-schemas.ts'
import { type Code, createJson, createRefusals, createResponse } from './responses.ts'

/** Possible on every POST. */
export const POST_CODES: Code[] = [
  'malformed-json',
  'not-utf8',
  'not-an-object',
  'cross-site',
  'too-large',
  'unsupported-media-type',
  'too-many-refusals',
  'server-error',
]

/** Every path can return these codes. The OpenAPI document lists them at the contact call only. */
const ANY_PATH_CODES: Code[] = [
  'malformed-request',
  'request-timeout',
  'expectation-failed',
  'misdirected',
  'headers-too-large',
]

export function createContactCall(limit: ContactLimit) {
  return {
    operationId: 'sendContactRequest',
    summary: 'Sends a request for information',
    description: [
      `The answer is 200 only after the message is stored durably. An address may send ${limit.count} messages in ${limit.windowMinutes} minutes.`,
      `The same content from the same address within ${REPEAT_HOURS} h is answered with the first reference; nothing new is stored. With the same Idempotency-Key this holds for any address, and the repetition does not count.`,
      `A body has at most ${MAX_CONTACT_BYTES} bytes. After ${REFUSAL_LIMIT.count} refusals in ${REFUSAL_LIMIT.windowMinutes} minutes every request of the address is refused until that time is over. Every refusal except 5xx counts.`,
      'There are no CORS headers: requests from pages of other sites are refused.',
    ].join('\n\n'),
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      content: createJson(
        { $ref: '#/components/schemas/ContactRequest' },
        {
          firstName: 'Zoé',
          lastName: 'L’Écuyer',
          email: 'zoe@example.ca',
          service: SERVICE_IDS[1],
          message: 'Hello,\nwe are looking for a training session.',
          formStartTime: '1777896000000',
          website: '',
          url: '',
          phone_hidden: '',
        },
      ),
    },
    responses: {
      200: createResponse(
        'The message is stored, now or earlier.',
        createJson(
          { $ref: '#/components/schemas/Receipt' },
          { reference: 'RG-7K3M9-QXT4P', receivedAt: '2026-05-04T12:00:00.000Z' },
        ),
        'RateLimit',
        'RateLimit-Policy',
      ),
      ...createRefusals(
        [
          ...FAULT_CODES,
          ...POST_CODES,
          'bad-idempotency-key',
          'limit-reached',
          'unavailable',
          ...ANY_PATH_CODES,
        ],
        limit,
      ),
    },
  }
}
