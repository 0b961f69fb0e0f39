import { jest } from '@jest/globals'
import { MISCONFIGURED_ALARM } from '../../../server/mail/mail-error.ts'
import { createOutbox, OUTBOX_PACE } from '../../../server/mail/outbox.ts'
import { createMailQueue } from '../../support/fake-mail-queue.ts'
import {
  createLines,
  FakeMailer,
  LATER,
  MISCONFIGURED,
  REFUSED,
} from '../../support/fake-mailer.ts'
import { DAY_MS, HOUR_MS, PERIODS } from '../../support/inbox.ts'

const SECOND = 1000

let queue: ReturnType<typeof createMailQueue>
let queueDigest: typeof queue.queueDigest
let mailer: FakeMailer
let lines: [string, string, object][]
let results: string[]
let outbox: ReturnType<typeof createOutbox>

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-05-04T12:00:00Z') })
  queue = createMailQueue()
  ;({ queueDigest } = queue)
  queue.queueDigest = async () => {}
  mailer = new FakeMailer()
  const { lines: kept, log } = createLines()
  lines = kept
  jest.spyOn(Math, 'random').mockReturnValue(0)
  results = []
  const onResult = (result: string) => results.push(result)
  outbox = createOutbox({ queue, mailer, log, periods: PERIODS, onResult })
})
afterEach(async () => {
  const stopped = outbox.stop(0)
  await jest.advanceTimersByTimeAsync(10 * SECOND)
  await stopped
  jest.useRealTimers()
  jest.restoreAllMocks()
})

const pass = (duration: number) => jest.advanceTimersByTimeAsync(duration)
const never = () => new Promise<string>(() => {})
const acceptLater = () => new Promise<string>((resolve) => setTimeout(resolve, SECOND, '250 OK'))
const accept = async () => '250 OK'
const acceptAndLoseInbox = () => {
  queue.unavailable = true
  return accept()
}

async function startWith(...references: string[]): Promise<void> {
  for (const reference of references) await queue.add(reference)
  outbox.start()
  await pass(0)
}

const listMails = (count: number) => Array.from({ length: count }, (_, n) => `mail-${n}`)

test('mails at the start, at once when woken, and every half minute; logs no text', async () => {
  await startWith('zero')
  await pass(5 * SECOND)
  await queue.add('one')
  outbox.wake()
  await pass(0)
  expect(queue.listBy('mailed')).toHaveLength(2)
  await queue.add('two')
  await pass(30 * SECOND)
  const references = ['zero', 'one', 'two']
  expect(lines).toEqual(references.map((reference) => ['info', 'message mailed', { reference }]))
})

test('does not miss a wake during a poll', async () => {
  const { lease } = queue
  queue.lease = async (...args) => {
    queue.lease = lease
    const mails = await lease(...args)
    await queue.add('one')
    outbox.wake()
    return mails
  }
  await startWith()
  expect(queue.listBy('mailed')).toEqual(['one'])
})

test.each([undefined, 50 * 60 * SECOND])('polls rarely, a mail due in %s ms', async (nextMs) => {
  let polls = 0
  queue.nextDueIn = async () => nextMs
  queue.lease = async () => {
    polls += 1
    return []
  }
  await startWith()
  await pass(HOUR_MS)
  expect(polls).toBeLessThanOrEqual(HOUR_MS / OUTBOX_PACE.maxRestMs + 1)
})

test('sends a few at once, and a slow one delays no other', async () => {
  mailer.answer = ({ id }) => (id === 'mail-0' ? never() : acceptLater())
  await startWith(...listMails(50))
  await pass(18 * SECOND)
  expect(queue.listBy('mailed')).toHaveLength(49)
  expect(mailer.most).toBe(OUTBOX_PACE.maxConcurrentSends)
})

test('tries again after 30 s to 12 h for five days from the first try, then gives up', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5)
  mailer.answer = () => Promise.reject(LATER())
  await queue.add('one')
  await pass(6 * DAY_MS)
  const start = Date.now()
  outbox.start()
  await pass(6 * DAY_MS)
  const times = mailer.timesOf('one').map((time) => time - start)
  const gaps = times.slice(1).map((time, index) => time - Number(times[index]))
  expect(gaps.slice(0, 4)).toEqual([37.5, 75, 150, 300].map((span) => span * SECOND))
  expect(Math.max(...gaps)).toBe(10 * HOUR_MS)
  expect(Number(times.at(-1)) / DAY_MS).toBeCloseTo(5, 1)
  expect(queue.listBy('dead')).toEqual(['one'])
  expect(new Set(results)).toEqual(new Set(['failed']))
  expect(lines.filter(([level]) => level === 'error')).toHaveLength(1)
})

test('wrong settings raise an alarm, are tried ever more rarely and never kill a message', async () => {
  mailer.answer = () => Promise.reject(MISCONFIGURED())
  await startWith(...listMails(20))
  await pass(SECOND)
  expect(mailer.sent).toHaveLength(OUTBOX_PACE.maxConcurrentSends)
  const alarm = { detail: 'EAUTH', retryMs: 30 * SECOND }
  expect(lines[0]).toMatchObject(['error', MISCONFIGURED_ALARM, alarm])
  expect(new Set(results)).toEqual(new Set(['misconfigured']))
  await pass(HOUR_MS)
  expect(mailer.sent.length).toBeLessThan(OUTBOX_PACE.maxConcurrentSends + 12)
  await pass(9 * DAY_MS)
  expect(queue.listBy('dead')).toEqual([])
  expect(queue.listBy('mailed')).toEqual([])
  mailer.answer = () => Promise.reject(LATER())
  await pass(15 * 60 * SECOND)
  const later = lines.find(([level]) => level === 'warn')
  expect(later?.[2]).toMatchObject({ tries: 1, retryMs: 30 * SECOND })
  mailer.answer = accept
  await pass(15 * 60 * SECOND)
  expect(queue.listBy('mailed')).toHaveLength(20)
})

test('an unavailable inbox is asked again, for mails and to record an outcome, and logs its errors itself', async () => {
  mailer.answer = acceptAndLoseInbox
  await queue.add('one')
  queue.unavailable = true
  await startWith()
  await pass(HOUR_MS)
  expect(mailer.sent).toEqual([])
  queue.unavailable = false
  await pass(60 * SECOND)
  queue.unavailable = false
  await pass(HOUR_MS)
  expect(queue.select("SELECT outcome || ' ' || detail FROM attempts")).toEqual(['mailed 250 OK'])
  expect(mailer.sent).toHaveLength(1)
  expect(lines).toHaveLength(1)
})

test.each([
  ['a wake', 0],
  ['a clock set ahead', DAY_MS],
  ['a clock set back', -DAY_MS],
])('%s neither ends a pause after wrong settings nor makes it longer', async (_, step) => {
  mailer.answer = () => Promise.reject(MISCONFIGURED())
  await startWith('one')
  await pass(SECOND)
  mailer.answer = accept
  jest.setSystemTime(Date.now() + step)
  queue.database.exec(`UPDATE outbox SET due_at = ${Date.now()}`)
  outbox.wake()
  await pass(SECOND)
  expect(queue.listBy('mailed')).toEqual([])
  await pass(30 * SECOND)
  expect(queue.listBy('mailed')).toEqual(['one'])
})

test('a stop lets the current send finish', async () => {
  mailer.answer = acceptLater
  await startWith('one')
  const stopped = outbox.stop(5 * SECOND)
  await pass(SECOND)
  await stopped
  expect(queue.listBy('mailed')).toEqual(['one'])
})

test('a stop aborts a send that takes too long; it is tried again', async () => {
  mailer.answer = never
  await startWith('one')
  const stopped = outbox.stop(5 * SECOND)
  await pass(5 * SECOND)
  await stopped
  expect(queue.listBy('later')).toEqual(['one'])
  expect(results).toEqual(['broken-off'])
  await queue.add('two')
  outbox.wake()
  await pass(HOUR_MS)
  expect(mailer.sent).toHaveLength(1)
})

test('a message that cannot be composed stays, and delays no other', async () => {
  await queue.add('one')
  await queue.add('two')
  const lastMoment = 8_640_000_000_000_000 // The maximum of Date, so the day of erasure is invalid.
  queue.database.exec(`UPDATE messages SET received_at = ${lastMoment} WHERE reference = 'one'`)
  outbox.start()
  await pass(0)
  expect(queue.listBy('later')).toEqual(['one'])
  expect(queue.listBy('mailed')).toEqual(['two'])
  expect(JSON.stringify(lines)).not.toMatch(/Bonjour/)
})

describe('the daily letter', () => {
  beforeEach(() => Object.assign(queue, { queueDigest }))

  const listSent = () =>
    mailer.sent.map(({ at, letter }) => [new Date(at).toISOString().slice(0, 16), letter.id])

  test('is mailed every day at eight in the morning in Toronto, summer and winter', async () => {
    jest.setSystemTime(Date.parse('2026-10-31T11:59:00Z'))
    outbox.start()
    await pass(HOUR_MS)
    jest.setSystemTime(Date.parse('2026-11-01T12:59:00Z'))
    await pass(HOUR_MS)
    expect(listSent()).toEqual([
      ['2026-10-31T12:00', 'digest-2026-10-31'],
      ['2026-11-01T13:00', 'digest-2026-11-01'],
    ])
    expect(lines[0]).toEqual(['info', 'daily letter mailed', { date: '2026-10-31' }])
  })

  test('is tried again and, once refused, without the texts', async () => {
    await queue.add('RG-1', 'dead')
    mailer.answer = () => Promise.reject(REFUSED())
    await startWith()
    mailer.answer = accept
    await pass(30 * SECOND)
    const [first, second] = mailer.sent.map(({ letter }) => letter.text.includes('une formation'))
    expect([first, second]).toEqual([true, false])
    const text = 'delivery not confirmed; it will be retried'
    const fields = { date: '2026-05-04', detail: 'EMESSAGE', tries: 1, retryMs: 30 * SECOND }
    expect(lines[0]).toEqual(['warn', text, fields])
  })
})
