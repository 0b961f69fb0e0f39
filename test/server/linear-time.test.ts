import { findPlaces, findType } from '../../server/api/client-errors.ts'
import { EXPORT_FORMATS } from '../../server/inbox/command/export-formats.ts'
import { formatListLine, formatMessage } from '../../server/inbox/command/format.ts'
import { WORDS } from '../../server/inbox/command/words.ts'
import { describeError } from '../../server/log.ts'
import { composeMessage } from '../../server/mail/message-letter.ts'
import { checkContact, isEmail } from '../../shared/contact-schema.ts'
import { createStored, PERIODS } from '../support/inbox.ts'

/** 3000 different letters, for code that does some work for each different letter. */
const letters = Array.from({ length: 3000 }, (_, index) => String.fromCodePoint(0x4e00 + index))

/** Texts that hostile clients repeat. */
const UNITS = [
  ...[' ', '\t', '\n', '\r', '\r\n', '\u0085', '\u2028', '\0', '\u00a0', '\ufeff', '\u200b'],
  ...['\u0301\u0323', '\u{1d16d}\u{1d165}', 'e\u0323\u0301', '\u1100\u1161\u11a8', '\ufb01\ufdfa'],
  ...[letters.join(''), '👩🏽‍🚒', '\ud800', '.', 'a.', '-.', '@', '%', '9', '"\'', '</script>'],
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
