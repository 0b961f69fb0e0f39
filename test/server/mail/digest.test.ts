import { jest } from '@jest/globals'
import { InboxUnavailable, type Message, type Waiting } from '../../../server/inbox/inbox.ts'
import { createDigest } from '../../../server/mail/digest.ts'
import { composeDigest } from '../../../server/mail/digest-letter.ts'
import { MISCONFIGURED_ALARM } from '../../../server/mail/mail-error.ts'
import { describeMessage } from '../../../server/mail/message-letter.ts'
import { FakeMailQueue } from '../../support/fake-mail-queue.ts'
import {
  createLines,
  FakeMailer,
  LATER,
  MISCONFIGURED,
  REFUSED,
} from '../../support/fake-mailer.ts'
import { createStored, DAY_MS, HOUR_MS } from '../../support/inbox.ts'

const MINUTE = 60_000

let queue: FakeMailQueue
let mailer: FakeMailer
let kept: ReturnType<typeof createLines>
const stops: (() => Promise<void>)[] = []

beforeEach(() => {
  queue = new FakeMailQueue()
  mailer = new FakeMailer()
  kept = createLines()
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  jest.useRealTimers()
})

function startAt(time: string) {
  jest.useFakeTimers({ now: Date.parse(time) })
  return start()
}

function start() {
  const digest = createDigest({ queue, mailer, log: kept.log })
  stops.push(digest.stop)
  digest.start()
  return digest
}

const acceptAndLoseInbox = async () => {
  queue.unavailable = true
  return '250 OK'
}
const pass = (duration: number) => jest.advanceTimersByTimeAsync(duration)
const listSent = () =>
  mailer.sent.map(({ at, letter }) => [new Date(at).toISOString().slice(0, 16), letter.id])

test('is mailed every day at eight in the morning in Toronto, summer and winter', async () => {
  startAt('2026-10-30T11:59:00Z')
  await pass(4 * DAY_MS)
  expect(listSent()).toEqual([
    ['2026-10-30T12:00', 'digest-2026-10-30'],
    ['2026-10-31T12:00', 'digest-2026-10-31'],
    ['2026-11-01T13:00', 'digest-2026-11-01'],
    ['2026-11-02T13:00', 'digest-2026-11-02'],
  ])
})

test('is mailed at a start later in the day, once over all processes and restarts', async () => {
  startAt('2026-05-04T20:00:00Z')
  start()
  await pass(HOUR_MS)
  start()
  await pass(HOUR_MS)
  expect(listSent()).toEqual([['2026-05-04T20:00', 'digest-2026-05-04']])
})

test('is tried again ever more rarely until it is accepted, and logs each failure', async () => {
  mailer.answer = () => Promise.reject(LATER())
  startAt('2026-05-04T12:00:00Z')
  await pass(8 * HOUR_MS)
  const times = ['12:00', '12:10', '12:30', '13:10', '14:30', '16:30', '18:30', '20:30']
  expect(kept.lines).toHaveLength(times.length - 1)
  expect(kept.lines.at(-1)).toMatchObject(['warn', expect.any(String), { retryMs: 2 * HOUR_MS }])
  mailer.answer = async () => '250 OK'
  await pass(HOUR_MS)
  expect(listSent().map(([time]) => time?.slice(11))).toEqual(times)
})

test('raises an alarm every ten minutes while the settings are wrong', async () => {
  mailer.answer = () => Promise.reject(MISCONFIGURED())
  startAt('2026-05-04T12:00:00Z')
  await pass(3 * HOUR_MS - MINUTE)
  const details = { date: '2026-05-04', detail: 'no', retryMs: 10 * MINUTE }
  expect(kept.lines).toEqual(Array(18).fill(['error', MISCONFIGURED_ALARM, details]))
})

test('an unavailable inbox is polled again', async () => {
  queue.unavailable = true
  startAt('2026-05-04T12:00:00Z')
  await pass(HOUR_MS)
  queue.unavailable = false
  await pass(10 * MINUTE)
  expect(mailer.sent).toHaveLength(1)
  expect(kept.lines).toEqual([['info', 'daily letter mailed', { date: '2026-05-04' }]])
})

test('a daily letter that was mailed but not recorded is recorded later, and never mailed twice', async () => {
  mailer.answer = acceptAndLoseInbox
  await queue.add('RG-1', 'dead')
  startAt('2026-05-04T12:00:00Z')
  await pass(HOUR_MS)
  expect(mailer.sent).toHaveLength(1)
  expect(kept.lines.slice(0, 2)).toEqual([
    ['info', 'daily letter mailed', { date: '2026-05-04' }],
    [
      'warn',
      'daily letter mailed, but the inbox did not record it; recording will be retried',
      { err: expect.any(InboxUnavailable), date: '2026-05-04', retryMs: MINUTE },
    ],
  ])
  queue.unavailable = false
  await pass(10 * HOUR_MS)
  expect(mailer.sent).toHaveLength(1)
  expect(queue.select('SELECT confirmed_at FROM digests')).toEqual([expect.any(Number)])
  expect(queue.select('SELECT due_at FROM outbox')).toEqual([expect.any(Number)])
  await pass(DAY_MS)
  expect(listSent()).toHaveLength(2)
})

test('an unexpected error is logged, with the time of the next try', async () => {
  queue.waiting = async () => {
    throw new Error('broken')
  }
  startAt('2026-05-04T12:00:00Z')
  await pass(1)
  const line = { err: expect.any(Error), retryMs: 10 * MINUTE }
  expect(kept.lines).toEqual([
    ['error', 'daily letter could not be prepared; it will be retried', line],
  ])
  await pass(10 * MINUTE)
  expect(kept.lines).toHaveLength(2)
})

test('a stop aborts the send', async () => {
  mailer.answer = () => new Promise(() => {})
  const digest = startAt('2026-05-04T12:00:00Z')
  await pass(MINUTE)
  await digest.stop()
  await pass(DAY_MS)
  expect(mailer.sent).toHaveLength(1)
  expect(kept.lines).toEqual([])
})

test('a letter that the server refuses is sent without the texts of the messages', async () => {
  await queue.add('RG-1', 'dead')
  mailer.answer = async ({ text }) => {
    if (text.includes('une formation')) throw REFUSED()
    return '250 OK'
  }
  startAt('2026-05-04T12:00:00Z')
  await pass(10 * MINUTE)
  expect(mailer.sent).toHaveLength(2)
  expect(mailer.sent[1]?.letter.text).toContain('refused the texts')
  expect(kept.lines.slice(0, 2).map(([, text]) => text)).toEqual([
    'daily letter refused by the mail server; it will be retried without the texts of messages',
    'daily letter mailed',
  ])
})

test('dead messages are queued again once a day, when the daily letter was accepted', async () => {
  const listQueued = () => queue.select('SELECT reference FROM outbox WHERE due_at IS NOT NULL')
  for (let n = 100; n < 550; n++) await queue.add(`RG-${n}`, 'dead')
  mailer.answer = () => Promise.reject(LATER())
  startAt('2026-05-04T12:00:00Z')
  await pass(HOUR_MS)
  expect(listQueued()).toEqual([])
  mailer.answer = async () => '250 OK'
  await pass(HOUR_MS)
  expect(listQueued()).toHaveLength(450)
  const text = 'dead messages queued again'
  expect(kept.lines.at(-1)).toEqual(['info', text, { count: 450 }])
  queue.database.exec("UPDATE outbox SET due_at = NULL; UPDATE messages SET status = 'dead'")
  await pass(21 * HOUR_MS)
  expect(listQueued()).toEqual([])
  await pass(HOUR_MS)
  expect(listQueued()).toHaveLength(450)
})

const NOTHING: Waiting = {
  quarantined: [],
  dead: [],
  counts: { new: 0, mailed: 0, dead: 0, quarantined: 0, archived: 0 },
  held: 0,
  mailPerHour: 120,
}

test('the letter reports that there is nothing to do', () => {
  expect(composeDigest('2026-05-04', NOTHING)).toEqual({
    id: 'digest-2026-05-04',
    subject: 'Messages du site / Website messages 2026-05-04\u00a0: rien à faire / nothing to do',
    text: `Messages du site du 2026-05-04, heure de Toronto / Website messages of 2026-05-04, Toronto time

Rien à faire aujourd’hui. / Nothing to do today.
`,
  })
})

const spam = createStored({ status: 'quarantined', trapped: ['url'], message: 'a\nb\u2028c' })
const WAITING: Waiting = {
  quarantined: [{ ...spam, reference: 'RG-A' }],
  dead: [createStored({ reference: 'RG-B', status: 'dead', service: '', language: 'en' })],
  counts: { ...NOTHING.counts, new: 40, dead: 1, quarantined: 12 },
  oldestDueAt: Date.parse('2026-05-04T12:15:00Z'),
  held: 37,
  mailPerHour: 120,
}

const describeFirst = ([message = createStored()]: Message[]) =>
  describeMessage(message).map((line) => line.replaceAll('\u00a0', ' '))

test('the letter carries the texts of quarantined and of dead messages', () => {
  const { subject, text } = composeDigest('2026-05-04', WAITING)
  const found = 'Messages du site / Website messages 2026-05-04\u00a0: 13 à voir / 13 to see'
  expect(subject).toBe(found)
  expect(text.replaceAll('\u00a0', ' ').split('\n').slice(2)).toEqual([
    'Mis à part comme pourriels possibles, à vérifier / Set aside as possible spam, to be checked : 12',
    'Si un message est authentique, écrivez à cette personne. / If a message is genuine, write to this person.',
    '',
    ...describeFirst(WAITING.quarantined),
    '> a',
    '> b',
    '> c',
    '',
    'Plus anciens, non repris ici / Older ones, not shown here : 11',
    '',
    'Non transmis par courriel après de nombreux essais / Not delivered to you after many tries : 1',
    'Le site essaie de nouveau chaque jour; vous pouvez déjà écrire à cette personne. / The site tries again each day; you can already write to this person.',
    '',
    ...describeFirst(WAITING.dead),
    '> Bonjour,',
    '> ',
    '> \tune formation?',
    '',
    'En attente d’envoi / Waiting to be sent : 40, prochain essai / next attempt 2026-05-04 08:15',
    'Dont retenus, car le site envoie au plus 120 courriels par heure : 37',
    'Of these held back, because the site sends at most 120 emails an hour: 37',
    '',
  ])
})

test('a letter without the texts names the messages, and nothing typed', () => {
  const { text } = composeDigest('2026-05-04', WAITING, { hasTexts: false })
  expect(text).toContain('\nRG-A, reçu / received 2026-05-03 23:30\n')
  expect(text).not.toMatch(/Zoé|zoe@|une formation/)
})
