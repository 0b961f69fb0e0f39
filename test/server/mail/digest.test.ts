import { jest } from '@jest/globals'
import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { createDigest } from '../../../server/mail/digest.ts'
import { composeDigest } from '../../../server/mail/digest-letter.ts'
import { MISCONFIGURED_ALARM } from '../../../server/mail/mail-error.ts'
import { FakeMailQueue } from '../../support/fake-mail-queue.ts'
import { createLines, FakeMailer, LATER, MISCONFIGURED } from '../../support/fake-mailer.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let queue: FakeMailQueue
let mailer: FakeMailer
let lines: [string, string, object][]
const stops: (() => Promise<void>)[] = []

beforeEach(() => {
  queue = new FakeMailQueue()
  mailer = new FakeMailer()
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
  const kept = createLines()
  lines = kept.lines
  const digest = createDigest({ queue, mailer, log: kept.log })
  stops.push(digest.stop)
  digest.start()
  return digest
}

const pass = (duration: number) => jest.advanceTimersByTimeAsync(duration)
const listSent = () =>
  mailer.sent.map(({ at, letter }) => [new Date(at).toISOString().slice(0, 16), letter.id])

test('is mailed every day at eight in the morning in Toronto, summer and winter', async () => {
  startAt('2026-10-30T11:59:00Z')
  await pass(4 * DAY)
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
  await pass(HOUR)
  start()
  await pass(HOUR)
  expect(listSent()).toEqual([['2026-05-04T20:00', 'digest-2026-05-04']])
})

test('waits after a start before eight', async () => {
  startAt('2026-05-04T04:30:00Z')
  await pass(HOUR)
  expect(mailer.sent).toEqual([])
})

test('is tried again until it is accepted, and logs each failure', async () => {
  mailer.answer = () => Promise.reject(LATER())
  startAt('2026-05-04T12:00:00Z')
  await pass(25 * MINUTE)
  expect(mailer.sent).toHaveLength(3)
  expect(lines.map(([level]) => level)).toEqual(['warn', 'warn', 'warn'])
  mailer.answer = async () => '250 OK'
  await pass(HOUR)
  expect(mailer.sent).toHaveLength(4)
})

test('raises an alarm when the settings are wrong', async () => {
  mailer.answer = () => Promise.reject(MISCONFIGURED())
  startAt('2026-05-04T12:00:00Z')
  await pass(MINUTE)
  expect(lines).toEqual([['error', MISCONFIGURED_ALARM, { detail: 'no' }]])
})

test('another process takes over from one that died during the send', async () => {
  queue.digests.set('2026-05-04', Date.parse('2026-05-04T12:04:00Z'))
  startAt('2026-05-04T12:00:00Z')
  await pass(3 * MINUTE)
  expect(mailer.sent).toEqual([])
  await pass(MINUTE)
  expect(mailer.sent).toHaveLength(1)
})

test('an unavailable inbox is polled again', async () => {
  queue.unavailable = true
  startAt('2026-05-04T12:00:00Z')
  await pass(HOUR)
  queue.unavailable = false
  await pass(10 * MINUTE)
  expect(mailer.sent).toHaveLength(1)
  expect(lines).toEqual([['info', 'digest mailed', { date: '2026-05-04' }]])
})

test('a digest mailed but not confirmed is confirmed later, and never mailed twice', async () => {
  mailer.answer = async () => {
    queue.unavailable = true
    return '250 OK'
  }
  startAt('2026-05-04T12:00:00Z')
  await pass(HOUR)
  expect(mailer.sent).toHaveLength(1)
  expect(lines.slice(0, 2)).toEqual([
    ['info', 'digest mailed', { date: '2026-05-04' }],
    [
      'warn',
      'digest mailed but not confirmed in the inbox; it will be confirmed again',
      { err: expect.any(InboxUnavailable), date: '2026-05-04', retryMs: MINUTE },
    ],
  ])
  queue.unavailable = false
  await pass(10 * HOUR)
  expect(mailer.sent).toHaveLength(1)
  expect(queue.digests.get('2026-05-04')).toBe(Number.POSITIVE_INFINITY)
  await pass(DAY)
  expect(listSent()).toHaveLength(2)
})

test('an inbox that fails after the lease is logged, with the time of the next try', async () => {
  queue.waiting = async () => {
    throw new InboxUnavailable('locked')
  }
  startAt('2026-05-04T12:00:00Z')
  await pass(MINUTE)
  const text = 'digest failed; it will be tried again'
  const err = expect.any(InboxUnavailable)
  expect(lines).toEqual([['error', text, { err, retryMs: 10 * MINUTE }]])
  await pass(9 * MINUTE)
  expect(lines).toHaveLength(2)
})

test('a failed lease is logged with the time of the next try', async () => {
  queue.claimDigest = async () => {
    throw new Error('broken')
  }
  startAt('2026-05-04T12:00:00Z')
  await pass(1)
  const details = { err: expect.any(Error), retryMs: MINUTE }
  expect(lines).toEqual([['error', 'digest failed; it will be tried again', details]])
})

test('a stop aborts the send', async () => {
  mailer.answer = () => new Promise(() => {})
  const digest = startAt('2026-05-04T12:00:00Z')
  await pass(MINUTE)
  await digest.stop()
  await pass(DAY)
  expect(mailer.sent).toHaveLength(1)
  expect(lines).toEqual([])
})

test('says when nothing waits', () => {
  expect(composeDigest('2026-05-04', queue.waitingNow)).toEqual({
    id: 'digest-2026-05-04',
    subject: 'Messages du site / Website messages 2026-05-04',
    text: `Messages du site, 2026-05-04 (America/Toronto) / Website messages, 2026-05-04 (America/Toronto)

Rien n’attend. / Nothing waits.

npm run inbox -- show | release | retry | archive REFERENCE
`,
  })
})

test('lists what waits by reference and time, and nothing else', () => {
  const receivedAt = '2026-05-04T03:30:00.000Z'
  const { text } = composeDigest('2026-05-04', {
    quarantined: [{ reference: 'RG-A', receivedAt, erasedAt: '2026-06-03T03:30:00.000Z' }],
    dead: [{ reference: 'RG-B', receivedAt }],
    unread: [{ reference: 'RG-C', receivedAt }],
    counts: { new: 9, mailed: 9, dead: 1, quarantined: 1, archived: 9, unread: 60 },
    oldestDueAt: Date.parse('2026-05-04T12:15:00Z'),
    held: 37,
    mailPerHour: 120,
  })
  expect(text.split('\n').slice(2)).toEqual([
    'En attente, car 120 courriels par heure au plus sont envoyés (MAIL_PER_HOUR) : 37',
    'Waiting, because at most 120 mails an hour are sent (MAIL_PER_HOUR): 37',
    '',
    'En quarantaine, un piège était rempli / In quarantine, a trap was filled : 1',
    '  RG-A  reçu / received 2026-05-03 23:30, effacé le / erased on 2026-06-02',
    '',
    'Envoi abandonné / Mailing given up : 1',
    '  RG-B  reçu / received 2026-05-03 23:30',
    '',
    'Jamais ouverts / Never looked at : 60',
    '  RG-C  reçu / received 2026-05-03 23:30',
    '  … + 59',
    '',
    'Prochain envoi prévu / Next mail due : 2026-05-04 08:15',
    '',
    'npm run inbox -- show | release | retry | archive REFERENCE',
    '',
  ])
})
