import type { Request } from 'express'
import { findPlaces, keepKnownWords } from '../../server/api/client-errors.ts'
import { EXPORT_FORMATS } from '../../server/inbox/command/export-formats.ts'
import { formatListLine, formatMessage } from '../../server/inbox/command/format.ts'
import { describeError } from '../../server/log.ts'
import { composeMessage } from '../../server/mail/message-letter.ts'
import { chooseEncoding } from '../../server/pages/encoding.ts'
import { findAddress } from '../../server/requests/address.ts'
import { checkContact, isEmail } from '../../shared/contact.ts'
import {
  createHostileHeaders,
  createHostilePosts,
  HOSTILE_PATHS,
  readCode,
  UNITS,
} from '../../tools/harness/hostile-texts.ts'
import { exchange, writeRequest } from '../../tools/harness/raw-client.ts'
import { createStored } from '../support/inbox.ts'
import { createVisitor, get, setUpSite, site } from './setup.ts'

/** In UTF-16 code units. Quadratic work on a text of this length takes more than ten seconds on a fast machine. */
const LENGTH = 128 * 1024
const MAX_CPU_MS = 3000

const createMessage = (text: string) =>
  createStored({ firstName: text, lastName: text, email: text, message: text })

/** CPU time of this thread, which also runs the site: other work of the machine does not count. */
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

/** Each function that reads a visitor's input, called with the text in every argument. */
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

test.each(readers)('%s takes no more than linear time', async (_name, read) => {
  for (const { name, text } of UNITS) {
    const repeated = text.repeat(LENGTH / text.length)
    for (const hostile of [repeated, `a${repeated}!`]) {
      const { time } = await measure(() => read(hostile))
      expect([name, time < MAX_CPU_MS]).toEqual([name, true])
    }
  }
})

describe('a site', () => {
  /** CPU time of one request. */
  const MAX_CPU_MS = 1000

  setUpSite()

  test.each(UNITS)(
    '32 KiB of $name in any field are answered by the rules, and block nobody',
    async (unit) => {
      for (const { name, way, path, headers, body, code } of createHostilePosts(unit)) {
        const { value, time } = await measure(async () => {
          const sent = fetch(site.url + path, {
            method: 'POST',
            redirect: 'manual',
            headers: { ...headers, ...createVisitor() },
            body,
          })
          const alive = get('/livez')
          const answer = await sent
          const text = await answer.text()
          return { status: answer.status, body: text, alive: (await alive).status }
        })
        const result = {
          name,
          status: value.status,
          code: readCode(way, value),
          alive: value.alive,
        }
        const accepted = way === 'JSON' ? 200 : 303
        expect(result).toEqual({ name, status: code ? 400 : accepted, code, alive: 200 })
        expect([name, time < MAX_CPU_MS]).toEqual([name, true])
      }
    },
  )

  test('long headers, paths and queries block nobody', async () => {
    for (const request of [...createHostileHeaders(createVisitor), ...HOSTILE_PATHS]) {
      const { name, method, path, headers, body } = request
      const { value, time } = await measure(() =>
        exchange(site, writeRequest(method, path, headers, body)),
      )
      expect([name, /^HTTP\/1\.1 [1-4]/.test(value), time < MAX_CPU_MS]).toEqual([name, true, true])
    }
  })
})
