import { MAX_CONTACT_BYTES } from '../../shared/constants.ts'
import { VALID } from './client.ts'

/** A text that hostile clients repeat, and its effect under the rules of the form. */
interface Unit {
  name: string
  text: string
  /** Length of one repetition after cleanLine, in characters; default 1. */
  inLine?: number
  /** Length of one repetition in a message, in characters; default 1. */
  inMessage?: number
  /** A field with nothing but this text counts as empty. */
  blank?: true
  breaks?: true
  /** The text contains a lone surrogate. */
  broken?: true
  digits?: true
  /** The text is valid inside a domain. */
  domain?: true
}

/** Different letters: the worst case for sorting by letter. */
const letters = Array.from({ length: 5000 }, (_, index) => String.fromCodePoint(0x4e00 + index))

export const UNITS: Unit[] = [
  { name: 'spaces', text: ' ', blank: true },
  { name: 'tabs', text: '\t', blank: true },
  { name: 'LF', text: '\n', blank: true, breaks: true },
  { name: 'CR', text: '\r', blank: true, breaks: true, inMessage: 0 },
  { name: 'CRLF', text: '\r\n', blank: true, breaks: true, inMessage: 1 },
  { name: 'NEL', text: '\u0085', blank: true, breaks: true, inMessage: 0 },
  { name: 'LINE SEPARATOR', text: '\u2028', blank: true, breaks: true },
  { name: 'NUL', text: '\0', blank: true, inLine: 0, inMessage: 0 },
  { name: 'no-break spaces', text: '\u00a0', blank: true },
  { name: 'byte order marks', text: '\ufeff', blank: true },
  { name: 'zero-width spaces', text: '\u200b' },
  { name: 'unordered marks', text: '\u0301\u0323' },
  { name: 'unordered marks of two units', text: '\u{1d16d}\u{1d165}' },
  { name: 'marks on letters', text: 'e\u0323\u0301', inLine: 2, inMessage: 2 },
  { name: 'Hangul in parts', text: '\u1100\u1161\u11a8', inLine: 1, inMessage: 1 },
  { name: 'ligatures', text: '\ufb01\ufdfa' },
  { name: 'different letters', text: letters.join('') },
  { name: 'emoji', text: '👩🏽‍🚒' },
  { name: 'halves of characters', text: '\ud800', broken: true },
  { name: 'dots', text: '.' },
  { name: 'short labels', text: 'a.', domain: true },
  { name: 'empty labels', text: '-.' },
  { name: 'at signs', text: '@' },
  { name: 'percent signs', text: '%' },
  { name: 'digits', text: '9', digits: true },
  { name: 'quotes', text: '"\'' },
  { name: 'encodings', text: 'br,' },
  { name: 'markup', text: '</script>' },
]

/** The field has the repetitions alone, or between two letters. */
type Shape = 'alone' | 'inside'

type Way = 'JSON' | 'form'

const TARGETS = {
  JSON: { path: '/api/contact', type: 'application/json' },
  form: { path: '/contact', type: 'application/x-www-form-urlencoded' },
}

/** Encodes only the characters that have a meaning in a form, so that more text fits into a body. */
const encode = (text: string) =>
  text.replace(/[%&=+]/g, encodeURIComponent).replace(/\p{Cs}/gu, '%ED%A0%80')

function write(way: Way, fields: Record<string, string>): string {
  if (way === 'JSON') return JSON.stringify(fields)
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&')
}

function surround(field: Field, shape: Shape, text: string): string {
  if (shape === 'alone') return text
  return field === 'email' ? `a@${text}ca` : `a${text}a`
}

/** Returns the code that refuses repetitions of a text; undefined if the message is accepted. */
type Judge = (unit: Unit, shape: Shape, count: number) => string | undefined

const judgeLine: Judge = ({ blank, breaks, broken, inLine = 1 }, shape, count) => {
  if (blank && shape === 'alone') return 'required'
  if (breaks) return 'line-break'
  if (inLine * count > 100) return 'too-long'
  return broken && 'broken-text'
}

const JUDGES = {
  firstName: judgeLine,
  lastName: judgeLine,
  email({ blank, domain }, shape) {
    if (blank && shape === 'alone') return 'required'
    return domain && shape === 'inside' ? 'too-long' : 'email-invalid'
  },
  message({ blank, broken, inMessage = 1 }, shape, count) {
    if (blank && shape === 'alone') return 'required'
    if (inMessage * count < 10) return 'message-too-short'
    if (inMessage * count > 2000) return 'message-too-long'
    return broken && 'broken-text'
  },
  service: () => 'unknown-service',
  formStartTime: ({ digits }, shape) =>
    digits && shape === 'alone' ? 'too-fast' : 'start-time-invalid',
  website: () => undefined,
} satisfies Record<string, Judge>
type Field = keyof typeof JUDGES
const FIELDS = Object.keys(JUDGES) as Field[]

function createPost(way: Way, field: Field, unit: Unit, shape: Shape, valid: object) {
  const make = (count: number) =>
    write(way, { ...valid, [field]: surround(field, shape, unit.text.repeat(count)) })
  const empty = Buffer.byteLength(make(0))
  const size = Buffer.byteLength(make(1)) - empty
  const repetitions = Math.floor((MAX_CONTACT_BYTES - empty) / size)
  const { path, type } = TARGETS[way]
  // A form encodes a lone surrogate as bytes that are not UTF-8.
  const unreadable = way === 'form' && unit.broken
  const count = repetitions * (unit.text.length > 100 ? unit.text.length : 1)
  return {
    name: `${way}, ${field}: ${repetitions} times ${unit.name} ${shape}`,
    way,
    path,
    headers: { 'Content-Type': type },
    body: make(repetitions),
    /** Code of the answer; undefined if the message is accepted. */
    code: unreadable ? 'not-utf8' : JUDGES[field](unit, shape, count),
  }
}

/** Requests of the maximum size in which one text fills one field. */
export const createHostilePosts = (unit: Unit, valid: object = VALID) =>
  (['JSON', 'form'] as const).flatMap((way) =>
    FIELDS.flatMap((field) =>
      (['alone', 'inside'] as const).map((shape) => createPost(way, field, unit, shape, valid)),
    ),
  )

const STATE = /<script type="application\/json" id="state">(.*?)<\/script>/s

/** The state of the form in the contact page. */
export const readContactState = (html: string) => JSON.parse(STATE.exec(html)?.[1] ?? '{}').contact

/** The code in an answer; undefined if the message was accepted. */
export function readCode(way: Way, answer: { status: number; body: string }): string | undefined {
  const { status, body } = answer
  if (status === 200 || status === 303) return undefined
  if (way === 'JSON') return JSON.parse(body).code
  const contact = readContactState(body)
  return contact.faults?.[0].code ?? contact.problem.code
}

const HEADER_SIZE = 14 * 1024

/** Headers have one byte for each character, so these texts have no character above U+00FF. */
const HEADER_UNITS = [
  ...[' ', '\t', ',', ', ', ';', ';q=', '"', '\\"', '=', '*', '/', 'a/b,', '*/*;q=0.1,', 'en-'],
  ...['fr;q=0.5,', '%', '%CC%81%CC%A3', '%E4%B8%80', '\xe9', '\xcc\x81', '.', ':', '[', '1.', '9'],
  ...['1.1.1.1,', '::1,', 'W/"a",', 'a=j:{', 'a=%', 'http://', '-', 'a', 'br,', 'br, '],
]
const BEGINNINGS: [header: string, beginning: string][] = [
  ['Accept', ''],
  ['Accept', 'text/plain;a="'],
  ['Accept-Language', ''],
  ['Accept-Encoding', ''],
  ['Accept-Encoding', 'br;'],
  ['Cookie', 'rg-language='],
  ['If-None-Match', 'W/"'],
  ['Cache-Control', ''],
  ['Idempotency-Key', ''],
  ['X-Forwarded-For', ''],
  ['X-Forwarded-For', '['],
  ['X-Forwarded-For', 'fe80::1%'],
  ['Content-Type', 'application/json;charset='],
  ['Origin', 'http://'],
  ['Origin', 'http://a'],
  ['Sec-Fetch-Site', ''],
  ['Expect', '100-continue'],
]

/** Requests in which one text fills one header up to the maximum size. */
export function createHostileHeaders(
  createVisitor: () => Record<string, string>,
  valid: object = VALID,
) {
  const json = JSON.stringify(valid)
  const sent = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }
  return BEGINNINGS.flatMap(([header, beginning]) =>
    HEADER_UNITS.flatMap((unit) => {
      const hostile = { [header]: `${beginning}${unit.repeat(HEADER_SIZE / unit.length)}!` }
      const name = `${header}: ${beginning}${unit.repeat(3)}…`
      const get = { method: 'GET', headers: hostile, body: '' }
      const headers = { ...sent, ...createVisitor(), ...hostile }
      return [
        { ...get, name: `GET /contact, ${name}`, path: '/contact' },
        { ...get, name: `GET /api/nowhere, ${name}`, path: '/api/nowhere' },
        { name: `POST, ${name}`, method: 'POST', path: '/api/contact', headers, body: json },
      ]
    }),
  )
}

const PATH_UNITS = [
  ...['/', '//', '\\', '.', '/.', '%', '%2f', '%5c', '%CC%81%CC%A3', '?', '&', '=', '+', '[', 'a/'],
]

const PATH_BEGINNINGS = [
  '/',
  '/api/',
  '/contact/',
  '/?lang=',
  '/?',
  '/contact?sent=',
  '/contact?lang[]=',
]

/** Requests in which one text fills the path or the query. */
export const HOSTILE_PATHS = PATH_BEGINNINGS.flatMap((beginning) =>
  PATH_UNITS.map((unit) => ({
    name: `GET ${beginning}${unit.repeat(3)}…`,
    method: 'GET',
    path: `${beginning}${unit.repeat(HEADER_SIZE / unit.length)}!`,
    headers: {},
    body: '',
  })),
)
