import { jest } from '@jest/globals'
import { keepMessage } from '../../../server/inbox/keep-message.ts'
import { findLastAttempt, findMessage } from '../../../server/inbox/messages.ts'
import { SEND_TIMEOUT_MS } from '../../../server/mail/mailer.ts'
import { MAIL_PACE, type Mailing, startMailing } from '../../../server/mail/mailing.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createLines, FakeMailer, LATER, MISCONFIGURED } from '../../support/fake-mailer.ts'
import { createMessage, DAY_MS, HOUR_MS, NOON, PERIODS } from '../../support/inbox.ts'
import { createTestSqlite, setUpStore } from '../inbox/databases.ts'

const { database, store, clock, keep } = setUpStore(createTestSqlite)

/** The delays of the queue follow the test's clock; those of the loop itself are short. */
const PACE = { ...MAIL_PACE, pollMs: 5, retryMs: 5 }
const SECOND = 1000

const WELL = { isBackupMissing: false, placeholders: 0 }

let mailer: FakeMailer
let lines: [string, string, object][]
let log: ReturnType<typeof createLines>['log']
let mailing: Mailing | undefined

beforeEach(() => {
  // 7:00 in Toronto, an hour before the daily letter.
  clock.time = NOON - HOUR_MS
  mailer = new FakeMailer()
  ;({ lines, log } = createLines())
  jest.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(async () => {
  await mailing?.stop(0)
  mailing = undefined
  jest.restoreAllMocks()
})

test('a mail is leased for longer than a send may take; one that another process queued is found within a minute', () => {
  expect(MAIL_PACE.leaseMs).toBeGreaterThan(SEND_TIMEOUT_MS)
  expect(MAIL_PACE.pollMs).toBeLessThanOrEqual(60 * SECOND)
})

function start(pace = PACE): Mailing {
  mailing = startMailing({ store, mailer, log, periods: PERIODS, findConditions: () => WELL, pace })
  return mailing
}

const untilStatus = (reference: string, status: string) =>
  until(async () => (await findMessage(store, reference))?.status === status)

async function getDue(reference: string): Promise<number> {
  const sql = `SELECT due_at FROM outbox WHERE reference = '${reference}' AND token IS NULL`
  const [row] = await database.read(sql)
  return Number(row?.due_at ?? 0)
}

/** Moves the clock to the next due time of a message after the loop has tried it this often. Resolves to the delay. */
async function passUntilDue(reference: string, tries: number): Promise<number> {
  await until(() => mailer.timesOf(reference).length === tries)
  await until(async () => (await getDue(reference)) > clock.time)
  const delay = (await getDue(reference)) - clock.time
  clock.time += delay
  return delay
}

test('mails at the start, when woken, and what it finds by itself; logs no text', async () => {
  const first = await keep()
  const running = start({ ...PACE, pollMs: HOUR_MS })
  await untilStatus(first, 'mailed')
  const second = await keep()
  running.wake()
  await untilStatus(second, 'mailed')
  await running.stop(0)
  const third = await keep()
  start()
  await until(() => mailer.sent.length === 3)
  await untilStatus(third, 'mailed')
  expect(lines).toEqual(
    [first, second, third].map((reference) => ['info', 'message mailed', { reference }]),
  )
  expect(await findLastAttempt(store, first)).toMatchObject({ outcome: 'mailed', detail: '250 OK' })
})

test('tries with growing delays for five days on average, gives up, and then tries once a day', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5)
  mailer.answer = () => Promise.reject(LATER())
  const reference = await keep()
  start()
  const delays: number[] = []
  for (let tries = 1; tries < 22; tries += 1) delays.push(await passUntilDue(reference, tries))
  expect(delays.slice(0, 3)).toEqual([37.5 * SECOND, 75 * SECOND, 150 * SECOND])
  expect(Math.max(...delays)).toBe(10 * HOUR_MS)
  const days = delays.reduce((sum, delay) => sum + delay) / DAY_MS
  expect(days).toBeGreaterThan(4.8)
  expect(days).toBeLessThan(5.2)
  expect(await findMessage(store, reference)).toMatchObject({ status: 'new' })
  expect(await passUntilDue(reference, 22)).toBe(DAY_MS)
  expect(await findMessage(store, reference)).toMatchObject({ status: 'dead' })
  expect(await passUntilDue(reference, 23)).toBe(DAY_MS)
  mailer.answer = async () => '250 OK'
  await untilStatus(reference, 'mailed')
  const text = 'message not mailed after many tries; it is tried once a day'
  const fields = { reference, detail: 'EMESSAGE DATA 451', tries: 22 }
  expect(lines.filter(([level]) => level === 'error')[0]).toEqual(['error', text, fields])
  expect(JSON.stringify(lines)).not.toContain('Bonjour')
})

test('wrong settings are named, pause all mail, which no wake ends, and are no try', async () => {
  mailer.answer = () => Promise.reject(MISCONFIGURED())
  const [first, second] = [await keep(), await keep()]
  const paused = start({ ...PACE, pauses: { firstMs: HOUR_MS, maxMs: HOUR_MS } })
  await until(async () => (await findLastAttempt(store, first))?.outcome === 'misconfigured')
  paused.wake()
  // A loop that the wake reaches sends the second message meanwhile.
  for (let count = 0; count < 5; count += 1) await findMessage(store, second)
  expect(mailer.sent).toHaveLength(1)
  await paused.stop(0)
  expect(lines).toEqual([
    [
      'error',
      'mail is misconfigured: nothing can be mailed until SMTP_URL is right',
      { reference: first, detail: 'EAUTH', retryMs: HOUR_MS },
    ],
  ])
  start({ ...PACE, pauses: { firstMs: 20, maxMs: 40 } })
  await until(() => {
    clock.time += SECOND
    return lines.length === 4
  })
  expect(lines.slice(1).map(([, , fields]) => (fields as { retryMs: number }).retryMs)).toEqual([
    20, 40, 40,
  ])
  const attempts = await database.read('SELECT attempts FROM outbox WHERE reference IS NOT NULL')
  expect(attempts).toMatchObject([{ attempts: 0 }, { attempts: 0 }])
  mailer.answer = async () => '250 OK'
  await until(async () => {
    clock.time += SECOND
    return (await findMessage(store, second))?.status === 'mailed'
  })
})

test('an outcome that the store cannot record is recorded later, and the mail is not sent twice', async () => {
  const reference = await keep()
  const unlocked = Promise.withResolvers<() => Promise<void>>()
  mailer.answer = async () => {
    unlocked.resolve(await database.lock())
    return '250 OK'
  }
  start()
  const unlock = await unlocked.promise
  await until(() => mailer.now === 0)
  await unlock()
  await untilStatus(reference, 'mailed')
  expect(mailer.sent).toHaveLength(1)
})

test('a stop lets the send in progress finish', async () => {
  const reference = await keep()
  const accepted = Promise.withResolvers<string>()
  mailer.answer = () => accepted.promise
  const running = start()
  await until(() => mailer.now === 1)
  const stopped = running.stop(60_000)
  accepted.resolve('250 OK')
  await stopped
  expect(await findMessage(store, reference)).toMatchObject({ status: 'mailed' })
})

test('a stop breaks off a send that takes too long, and nothing is sent after it', async () => {
  const reference = await keep()
  mailer.answer = () => new Promise(() => {})
  const running = start()
  await until(() => mailer.now === 1)
  await running.stop(1)
  expect(await findLastAttempt(store, reference)).toMatchObject({ outcome: 'later' })
  await keep()
  running.wake()
  expect(mailer.sent).toHaveLength(1)
})

test('the daily letter leaves at eight in Toronto, and without texts after three refusals', async () => {
  await keepMessage(store, createMessage({ trapped: ['url'] }))
  start()
  mailer.answer = () => Promise.reject(LATER())
  clock.time = NOON
  const passUntil = (look: () => boolean) =>
    until(() => {
      clock.time += SECOND
      return look()
    })
  await passUntil(() => mailer.sent.length >= 4)
  const texts = mailer.sent.map(({ mail }) => mail.text.includes('une formation'))
  expect(texts.slice(0, 4)).toEqual([true, true, true, false])
  mailer.answer = async () => '250 OK'
  await passUntil(() => lines.at(-1)?.[0] === 'info')
  const { id, isAutomatic } = mailer.sent.at(-1)?.mail ?? {}
  expect([id, isAutomatic]).toEqual([expect.stringMatching(/^letter-2026-05-\d\d$/), true])
  const letter = id?.replace('letter-', '')
  expect(lines.at(-1)).toEqual(['info', 'daily letter mailed', { letter }])
})
