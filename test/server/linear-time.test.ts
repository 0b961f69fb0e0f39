import type { Request } from 'express'
import { findPlaces, keepKnownWords } from '../../server/api/client-errors.ts'
import { EXPORT_FORMATS } from '../../server/inbox/command/export-formats.ts'
import { formatListLine, formatMessage } from '../../server/inbox/command/format.ts'
import type { Message } from '../../server/inbox/inbox.ts'
import { describeError } from '../../server/log.ts'
import { composeMessage } from '../../server/mail/message-letter.ts'
import { chooseEncoding } from '../../server/pages/encoding.ts'
import { findAddress } from '../../server/requests/address.ts'
import { checkContact, isEmail } from '../../shared/contact.ts'
import { UNITS } from '../../tools/harness/hostile-texts.ts'

/** In UTF-16 units; quadratic work on it takes more than ten seconds on a fast machine. */
const SIZE = 128 * 1024
/** CPU time of this thread. */
const MAX_CPU_MS = 3000

const createMessage = (text: string): Message => ({
  reference: 'RG-22222-22222',
  receivedAt: '2026-05-04T12:00:00.000Z',
  status: 'new',
  firstName: text,
  lastName: text,
  email: text,
  service: '',
  message: text,
  trapped: [],
  language: 'fr',
})

function createError(text: string): Error {
  const error = new Error(text)
  error.stack = `Error: ${text}\n    at ${text} (${text}:1:1)\n    at ${text}:1`
  return error
}

/** Every reader of visitors' input, with the text in each place. */
const readers: [name: string, read: (text: string) => unknown][] = [
  [
    'the rules of the form',
    (text) =>
      checkContact(
        { firstName: text, lastName: text, email: text, message: text, website: text },
        0,
      ),
  ],
  ['the start time', (text) => checkContact({ formStartTime: text }, 0)],
  ['an e-mail address', (text) => [isEmail(`${text}@a.ca`), isEmail(`a@${text}.ca`)]],
  [
    'an address',
    (text) => [text, `[${text}`, `1${text}:`].map((ip) => findAddress({ ip } as Request)),
  ],
  ['Accept-Encoding', chooseEncoding],
  ['the mail', (text) => composeMessage(createMessage(text))],
  ['CSV', (text) => EXPORT_FORMATS.csv.formatRow(createMessage(text))],
  ['JSON lines', (text) => EXPORT_FORMATS.jsonl.formatRow(createMessage(text))],
  ['the list on a terminal', (text) => formatListLine(createMessage(text))],
  ['a message on a terminal', (text) => formatMessage(createMessage(text))],
  ['the words of a script error', keepKnownWords],
  ['the places of a script error', (text) => findPlaces(`/assets/${text}/assets/a.js:1${text}`)],
  ['the description of an error', (text) => describeError(createError(text))],
]

test.each(readers)('%s takes no more than linear time', (_name, read) => {
  for (const { name, text } of UNITS) {
    const repeated = text.repeat(SIZE / text.length)
    for (const hostile of [repeated, `a${repeated}!`]) {
      const before = process.threadCpuUsage()
      read(hostile)
      const { user, system } = process.threadCpuUsage(before)
      expect([name, (user + system) / 1000 < MAX_CPU_MS]).toEqual([name, true])
    }
  }
})
