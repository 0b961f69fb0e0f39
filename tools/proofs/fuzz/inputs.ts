import fc from 'fast-check'
import { mapFields, TRAP_FIELDS } from '../../../shared/contact-fields.ts'
import { SERVICE_IDS } from '../../../shared/sectors.ts'

/** Pieces of text that can break headers, lines, encodings or lists of addresses. */
export const HOSTILE_PIECES = [
  ...['\r\n', '\n', '\r', '\0', '\t', '\v', '\f', '\u0085', '\u2028', '\u2029', '\u202e', '\u202a'],
  ...['\u2066', '\u2069', '\u200f', '\u061c', '\u200d', '\ufeff', '\ud800', '\udfff'],
  ...' ,;:"\'\\<>()[]@.',
  ...['\r\n.\r\n', '\r\n\r\n', '\r\n '],
  'Bcc: spy@evil.example',
  '\r\nBcc: spy@evil.example\r\n',
  '\nTo: spy@evil.example',
  '\r\nRCPT TO:<spy@evil.example>\r\n',
  'undisclosed: spy@evil.example;',
  ', spy@evil.example',
  '<spy@evil.example>',
  '" <spy@evil.example>',
  '=?utf-8?Q?=0D=0ABcc:_spy@evil.example?=',
  '=?utf-8?B?DQpCY2M6IHNweUBldmlsLmV4YW1wbGU=?=',
  '%0d%0aBcc:',
  ...['----', 'zoe@exemple.ca', '@exemple.québec', 'Éloïse', '𝒵👩🏽‍🚒', 'ᐃᓄᒃᑎᑐᑦ', 'מרים'],
  'x'.repeat(300),
]

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
const mostly = <Value>(good: fc.Arbitrary<Value>, bad: fc.Arbitrary<Value>, weight = 4) =>
  fc.oneof({ weight, arbitrary: good }, { weight: 1, arbitrary: bad })

function createFields(bad: fc.Arbitrary<string>) {
  const empty = fc.constant('')
  const longer = bad.map((part) => `Bonjour à tous. ${part}`)
  const name = mostly(fc.constantFrom('Zoé', 'L’Écuyer', "O'Neil"), bad)
  const traps = Object.fromEntries(TRAP_FIELDS.map((field) => [field, mostly(empty, bad, 9)]))
  const typed = {
    ...mapFields(() => name),
    email: mostly(fc.constantFrom('zoe@exemple.ca', 'user%x@y.ca', 'a@exemple.québec'), bad),
    service: mostly(fc.constantFrom('', ...SERVICE_IDS), bad),
    message: mostly(longer, bad),
  }
  return fc.record(
    {
      ...typed,
      formStartTime: mostly(fc.constantFrom('0', '1000000000000'), bad),
      ...traps,
      extra: bad,
    },
    { requiredKeys: ['firstName', 'lastName', 'email', 'message', 'formStartTime'] },
  )
}

const wellFormed = text.map((value) => value.toWellFormed())
const anyName = fc.oneof(wellFormed, fc.constantFrom('email', 'message'))

export type Fields = Record<string, string>
/** Fields that both JSON and a form can carry. */
export const fields = mostly<Fields>(createFields(wellFormed), fc.dictionary(anyName, wellFormed))

const toBytes = (latin1: string) => Buffer.from(latin1, 'latin1')
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))

/** A text with up to four parts replaced by these pieces. */
export const damage = (whole: fc.Arbitrary<string>, pieces: string[]) =>
  fc
    .tuple(
      whole,
      fc.array(fc.tuple(fc.nat(), fc.nat(40), fc.constantFrom(...pieces)), { maxLength: 4 }),
    )
    .map(([text, changes]) =>
      changes.reduce((present, [place, length, piece]) => {
        const at = place % (present.length + 1)
        return present.slice(0, at) + piece + present.slice(at + length)
      }, text),
    )

/** A body: the text unchanged, the text with parts replaced, or random bytes. */
function createBody(whole: fc.Arbitrary<string>) {
  const latin1 = whole.map((text) => Buffer.from(text).toString('latin1'))
  const damaged = damage(latin1, [...PIECES, '\xff', '\xc3\x28'])
  return fc.oneof(...[latin1, damaged].map((texts) => texts.map(toBytes)), bytes)
}

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
export const jsonBody = createBody(json)

export const writeForm = (value: Fields) => new URLSearchParams(value).toString()

const form = fc.oneof(
  fields.map(writeForm),
  fc
    .array(fc.oneof(piece, fc.constantFrom('&', '=', '&email=', '&message=', '%')))
    .map((pieces) => pieces.join('')),
  fc.constant(`message=${'%C3%A9'.repeat(6000)}`),
)
export const formBody = createBody(form)

const token = fc.constantFrom(...PIECES.filter((each) => /^[\x20-\x7e]+$/.test(each)))
const value = fc.oneof(token, fc.string({ unit: 'grapheme-ascii' }))

/** Headers that change how a request is read or answered. */
const ODD = {
  Accept: ['text/plain', '*/*;q=0', 'text/html'],
  'Accept-Language': ['en', 'fr;q=0,en', '*'],
  'Accept-Encoding': ['br', 'gzip;q=x', '*;q=0'],
  Cookie: ['rg-language=en', 'rg-language=%', 'a=j:{"a"'],
  'Idempotency-Key': ['a key', 'k'],
  Origin: ['null', 'http://[', 'https://evil.example'],
  'Sec-Fetch-Site': ['same-origin', 'cross-site', 'none'],
  'Content-Type': ['application/json;charset=latin1', ';'],
  'Content-Encoding': ['gzip', 'identity'],
  'If-None-Match': ['*', 'W/"', '"a", W/"b"'],
  Range: ['bytes=0-', 'bytes=9-1'],
  Referer: ['http://['],
  'X-Forwarded-Proto': ['https', 'http, https'],
}
const odd = Object.entries(ODD).map(([name, values]) => [
  name,
  fc.oneof(value, fc.constantFrom(...values)),
])

const someOdd = fc.record(Object.fromEntries(odd), { requiredKeys: [] })
export const oddHeaders = mostly<Record<string, string>>(fc.constant({}), someOdd, 5)

const part = fc.oneof(
  fc.constantFrom('/', '//', '\\', '..', '.', '%2e%2e', '%2f', '%5c', '%', '%zz', '%E9', '%00'),
  fc.constantFrom('%c0%af', '%ed%a0%80', 'é', '?', '#', ';', '&', '=', '@', ':', '*', '[', '|'),
  fc.constantFrom('services', 'contact', 'assets', 'api', 'livez', 'icon.svg', 'public-safety'),
  fc.constantFrom('lang=en', 'lang=fr', 'lang=', 'lang[]=en', 'sent=RG-AAAAA-AAAAA', 'sent='),
  fc.constantFrom('evil.example', 'http://evil.example', '.vite/manifest.json', '__proto__'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
)

/** Paths with only characters that an HTTP client can send. Omits paths that fail on purpose. */
export const path = fc
  .array(part, { maxLength: 8 })
  .map((parts) => `/${parts.join('')}`.replace(/[^\x21-\xff]/g, ''))
  .filter((each) => !/^\/(?:test-500|api\/test-error)/.test(each))
