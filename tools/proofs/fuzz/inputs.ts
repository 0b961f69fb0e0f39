import fc from 'fast-check'
import { SERVICE_IDS, TRAP_FIELDS } from '../../../shared/constants.ts'
import { PIECES as HOSTILE_PIECES } from '../../harness/hostile-messages.ts'

/** Special characters and words of forms, HTML, paths and JavaScript, and texts near a length limit. */
const PIECES = [
  ...HOSTILE_PIECES,
  ...['%', '%00', '%c3%28', '%u0041', '&', '=', '+', '</script>', '<!--', '$&', '{{x}}'],
  ...['__proto__', 'constructor', '../../..', 'e\u0301', 'ﬁ', 'İ', 'a@exemple.québec'],
  'x'.repeat(99),
  'y'.repeat(1990),
]

const piece = fc.constantFrom(...PIECES)
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
)
/** Includes lone surrogates, which UTF-8 cannot encode. */
const anyText = fc.oneof(
  text,
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)

/** Mostly valid, so that many inputs reach the later checks. */
const mostly = (good: fc.Arbitrary<string>, bad: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: bad })

function createFields(bad: fc.Arbitrary<string>) {
  const empty = fc.constant('')
  const name = mostly(fc.constantFrom('Zoé', 'L’Écuyer', "O'Neil"), bad)
  const traps = Object.fromEntries(
    TRAP_FIELDS.map((field) => [field, fc.oneof({ weight: 9, arbitrary: empty }, bad)]),
  )
  return fc.record(
    {
      firstName: name,
      lastName: name,
      email: mostly(fc.constantFrom('zoe@exemple.ca', 'user%x@y.ca', 'a@exemple.québec'), bad),
      service: mostly(fc.constantFrom('', ...SERVICE_IDS), bad),
      message: mostly(
        bad.map((part) => `Bonjour à tous. ${part}`),
        bad,
      ),
      formStartTime: mostly(fc.constantFrom('0', '1000000000000'), bad),
      ...traps,
      extra: bad,
    },
    { requiredKeys: ['firstName', 'lastName', 'email', 'message', 'formStartTime'] },
  )
}

/** Fields that both JSON and a form can carry. */
export const fields = fc.oneof(
  { weight: 4, arbitrary: createFields(text.map((value) => value.toWellFormed())) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.oneof(piece, fc.constantFrom('email', 'message')).map((key) => key.toWellFormed()),
      text.map((value) => value.toWellFormed()),
    ),
  },
)
export type Fields = Record<string, string>

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))

/** A text with some bytes replaced. */
const damaged = (whole: fc.Arbitrary<string>) =>
  fc
    .tuple(
      whole,
      fc.nat(),
      fc.nat(60),
      fc.oneof(
        bytes,
        piece.map((each) => Buffer.from(each)),
      ),
    )
    .map(([good, at, length, other]) => {
      const buffer = Buffer.from(good)
      const start = buffer.length === 0 ? 0 : at % buffer.length
      return Buffer.concat([buffer.subarray(0, start), other, buffer.subarray(start + length)])
    })

const json = fc.oneof(
  createFields(anyText).map((value) => JSON.stringify(value)),
  fc
    .dictionary(fc.constantFrom('firstName', 'email', 'message', 'website'), fc.jsonValue())
    .map((value) => JSON.stringify(value)),
  fc.json(),
  fc.constantFrom('', ' ', 'null', '[]', '"x"', '{', '{"a":1,"a":2}', '{"__proto__":{"x":1}}'),
  fc.constantFrom('['.repeat(9000), '{"a":'.repeat(4000), `{"message":"${'é'.repeat(16_000)}"}`),
  fc.constant(`"${'x'.repeat(40_000)}"`),
)
export const jsonBody = fc.oneof(
  json.map((value) => Buffer.from(value)),
  damaged(json),
  bytes,
)

export const writeForm = (value: Fields) => new URLSearchParams(value).toString()

const form = fc.oneof(
  fields.map(writeForm),
  fc
    .array(fc.oneof(piece, fc.constantFrom('&', '=', '&email=', '&message=', '%')))
    .map((pieces) => pieces.join('')),
  fc.constant(`message=${'%C3%A9'.repeat(6000)}`),
)
export const formBody = fc.oneof(
  form.map((value) => Buffer.from(value)),
  damaged(form),
  bytes,
)

const token = fc.constantFrom(...PIECES.filter((each) => /^[\x20-\x7e]+$/.test(each)))
const value = fc.oneof(token, fc.string({ unit: 'grapheme-ascii' }))

/** Headers that change how a request is read or answered; most requests have none of them. */
export const oddHeaders = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        Accept: fc.oneof(value, fc.constantFrom('text/plain', '*/*;q=0', 'text/html')),
        'Accept-Language': fc.oneof(value, fc.constantFrom('en', 'fr;q=0,en', '*')),
        'Accept-Encoding': fc.oneof(value, fc.constantFrom('br', 'gzip;q=x', '*;q=0')),
        Cookie: fc.oneof(value, fc.constantFrom('rg-language=en', 'rg-language=%', 'a=j:{"a"')),
        'Idempotency-Key': value,
        Origin: fc.oneof(value, fc.constantFrom('null', 'http://[', 'https://evil.example')),
        'Sec-Fetch-Site': fc.oneof(value, fc.constantFrom('same-origin', 'cross-site', 'none')),
        'Content-Type': fc.oneof(value, fc.constantFrom('application/json;charset=latin1', ';')),
        'Content-Encoding': fc.oneof(value, fc.constantFrom('gzip', 'identity')),
        'If-None-Match': fc.oneof(value, fc.constantFrom('*', 'W/"', '"a", W/"b"')),
        Range: fc.oneof(value, fc.constantFrom('bytes=0-', 'bytes=9-1')),
        Referer: value,
        'X-Forwarded-Proto': value,
      },
      { requiredKeys: [] },
    ),
  },
)

const part = fc.oneof(
  fc.constantFrom('/', '//', '\\', '..', '.', '%2e%2e', '%2f', '%5c', '%', '%zz', '%E9', '%00'),
  fc.constantFrom('%c0%af', '%ed%a0%80', 'é', '?', '#', ';', '&', '=', '@', ':', '*', '[', '|'),
  fc.constantFrom('services', 'contact', 'assets', 'api', 'livez', 'icon.svg', 'public-safety'),
  fc.constantFrom('lang=en', 'lang=fr', 'lang=', 'lang[]=en', 'sent=RG-AAAAA-AAAAA', 'sent='),
  fc.constantFrom('evil.example', 'http://evil.example', '.vite/manifest.json', '__proto__'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
)

/** Paths and queries of characters that an HTTP client can send. */
export const path = fc
  .array(part, { maxLength: 8 })
  .map((parts) => `/${parts.join('')}`.replace(/[^\x21-\xff]/g, ''))
  .filter((each) => !/^\/(?:test-500|api\/test-error)/.test(each))
