import { findPlaces, findType } from '../../server/api/client-errors.ts'
import { EXPORT_FORMATS } from '../../server/inbox/command/export-formats.ts'
import { formatListLine, formatMessage } from '../../server/inbox/command/format.ts'
import { WORDS } from '../../server/inbox/command/words.ts'
import { describeError } from '../../server/log.ts'
import { composeMessage } from '../../server/mail/message-letter.ts'
import { checkContact, isEmail } from '../../shared/contact-schema.ts'
import { exchange, writeRequest } from '../../tools/harness/raw-client.ts'
import { createStored, PERIODS } from '../support/inbox.ts'
import { createVisitor, setUpSite, site, VALID } from './setup.ts'

/** 3000 different letters, for code that does some work for each different letter. */
const letters = Array.from({ length: 3000 }, (_, index) => String.fromCodePoint(0x4e00 + index))

/** Texts that hostile clients repeat. */
const UNITS = [
  ...[' ', '\t', '\n', '\r', '\r\n', '\u0085', '\u2028', '\0', '\u00a0', '\ufeff', '\u200b'],
  ...['\u0301\u0323', '\u{1d16d}\u{1d165}', 'e\u0323\u0301', '\u1100\u1161\u11a8', '\ufb01\ufdfa'],
  ...[
    letters.join(''),
    '👩🏽‍🚒',
    '\ud800',
    '.',
    'a.',
    '-.',
    '@',
    '%',
    '9',
    '"\'',
    'br,',
    '</script>',
  ],
]

/** In UTF-16 code units. Quadratic work on this length takes more than ten seconds. */
const LENGTH = 128 * 1024
const MAX_CPU_MS = 3000

const createMessage = (text: string) =>
  createStored({ firstName: text, lastName: text, email: text, message: text })

/** Measures CPU time of this thread, which also runs the site: other work of the machine must not count. */
async function measure<Value>(work: () => Promise<Value> | Value) {
  const before = process.threadCpuUsage()
  const value = await work()
  const { user, system } = process.threadCpuUsage(before)
  return { value, time: (user + system) / 1000 }
}

function createError(text: string): Error {
  const error = new Error(text)
  error.stack = `Error: ${text}\n    at ${text} (${text}:1:1)\n    at ${text}:1`
  return error
}

/** Functions that read a visitor's input; each gets the text in every field. */
const readers: [name: string, read: (text: string) => unknown][] = [
  [
    'the rules of the form',
    (text) => {
      const names = { firstName: text, lastName: text, email: text }
      const others = { service: text, message: text, website: text, formStartTime: text }
      checkContact({ ...names, ...others }, 0)
    },
  ],
  ['an e-mail address', (text) => [isEmail(`${text}@a.ca`), isEmail(`a@${text}.ca`)]],
  ['the mail', (text) => composeMessage(createMessage(text), PERIODS)],
  ['CSV', (text) => EXPORT_FORMATS.csv.formatRow(createMessage(text))],
  ['JSON lines', (text) => EXPORT_FORMATS.jsonl.formatRow(createMessage(text))],
  ['the list on a terminal', (text) => formatListLine(createMessage(text), WORDS.fr)],
  ['a message on a terminal', (text) => formatMessage(createMessage(text), undefined, WORDS.fr)],
  ['the type of a script error', findType],
  [
    'the places of a script error',
    (text) => findPlaces(`/assets/${text}/assets/a.js:1${text}`, new Map([['assets/a.js', [9]]])),
  ],
  ['the description of an error', (text) => describeError(createError(text))],
]

test.each(readers)('%s takes no more than linear time', async (_name, read) => {
  for (const text of UNITS) {
    const repeated = text.repeat(LENGTH / text.length)
    for (const hostile of [repeated, `a${repeated}!`]) {
      const { time } = await measure(() => read(hostile))
      const start = hostile.slice(0, 20)
      expect({ start, isFast: time < MAX_CPU_MS }).toEqual({ start, isFast: true })
    }
  }
})

const HEADER_BYTES = 14 * 1024

const fill = (bytes: number, unit: string) => unit.repeat(bytes / Buffer.byteLength(unit))

/** Sent as UTF-8. Node reads each byte of a header as one character. */
const HEADER_UNITS = [
  ...[' ', '\t', ',', ', ', ';', ';q=', '"', '\\"', '=', '*', '/', 'a/b,', '*/*;q=0.1,', 'en-'],
  ...['fr;q=0.5,', '%', '%CC%81%CC%A3', '%E4%B8%80', '\xe9', '\u0301', '.', ':', '[', '1.', '9'],
  ...['1.1.1.1,', '::1,', 'W/"a",', 'a=j:{', 'a=%', 'http://', '-', 'a', 'br,', 'br, '],
]

/** Requests with a header that affects the answer, and beginnings of that header's value. */
const HEADERS: [method: 'GET' | 'POST', path: string, header: string, beginnings: string[]][] = [
  ['GET', '/api/nowhere', 'Accept', ['', 'text/plain;a="']],
  ['GET', '/api/nowhere', 'Accept-Language', ['']],
  ['GET', '/contact', 'Accept-Encoding', ['', 'br;']],
  ['GET', '/contact', 'Cookie', ['rg-language=']],
  ['GET', '/contact', 'If-None-Match', ['W/"']],
  ['GET', '/contact', 'Cache-Control', ['']],
  ['GET', '/contact', 'X-Forwarded-For', ['', '[', 'fe80::1%']],
  ['POST', '/api/contact', 'Idempotency-Key', ['']],
  ['POST', '/api/contact', 'Content-Type', ['application/json;charset=']],
  ['POST', '/api/contact', 'Origin', ['http://', 'http://a']],
  ['POST', '/api/contact', 'Sec-Fetch-Site', ['']],
  ['POST', '/api/contact', 'Expect', ['100-continue']],
]

const PATHS = ['/', '/api/', '/contact/', '/?lang=', '/?', '/contact?sent=', '/contact?lang[]=']
const PATH_UNITS = [
  ...['/', '//', '\\', '.', '/.', '%', '%2f', '%5c', '%CC%81%CC%A3', '?', '&', '=', '+', '[', 'a/'],
]

describe('a site', () => {
  const MAX_CPU_MS = 1000

  setUpSite()

  const ask = async (text: string) => {
    const { value, time } = await measure(() => exchange(site, text))
    const start = text.slice(0, 200)
    expect([start, /^HTTP\/1\.1 [1-4]/.test(value), time < MAX_CPU_MS]).toEqual([start, true, true])
  }

  test.each(HEADERS)('%s %s with a long %s blocks nobody', async (...row) => {
    const [method, path, header, beginnings] = row
    const body = method === 'POST' ? JSON.stringify(VALID) : ''
    const sent = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    for (const beginning of beginnings) {
      for (const unit of HEADER_UNITS) {
        const hostile = { [header]: `${beginning}${fill(HEADER_BYTES, unit)}!` }
        const headers = { ...(body && sent), ...createVisitor(), ...hostile }
        await ask(writeRequest(method, path, headers, body))
      }
    }
  })

  test.each(PATHS)('a long path or query after %s blocks nobody', async (beginning) => {
    for (const unit of PATH_UNITS) {
      await ask(writeRequest('GET', `${beginning}${fill(HEADER_BYTES, unit)}!`))
    }
  })
})
