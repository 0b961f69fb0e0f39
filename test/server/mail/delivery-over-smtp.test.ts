import { loadConfig } from '../../../server/config/config.ts'
import type { MessageStatus } from '../../../server/inbox/inbox.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { createOutbox, type Outbox } from '../../../server/mail/outbox.ts'
import { createTransport } from '../../../server/mail/transport.ts'
import { company } from '../../../shared/content/company.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { startStorm } from '../../../tools/harness/mail-storm.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { type Smtp, startSmtp } from '../../../tools/harness/smtp.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { createMessage, HOUR_MS, NOON, PERIODS, type TestInbox } from '../../support/inbox.ts'
import { createSqlitePlace, setUpPlace } from '../inbox/places.ts'

const place = setUpPlace(createSqlitePlace)
let inbox: TestInbox
let smtp: Smtp
let mailing: Outbox | undefined
let results: string[]

beforeEach(async () => {
  // Before eight in the morning in Toronto, so that no daily letter is due.
  inbox = place.open({ now: () => NOON - HOUR_MS })
  smtp = await startSmtp()
})
afterEach(async () => {
  await mailing?.stop(0)
  await smtp.stop()
})

function start() {
  const { lines, log } = createLines()
  results = []
  const SMTP_URL = `smtp://127.0.0.1:${smtp.port}`
  const { mail } = loadConfig({ SMTP_URL, MAIL_FROM, MAIL_TO })
  if (!mail) throw new Error('mail is off')
  mailing = createOutbox({
    queue: inbox.plain,
    mailer: createMailer({ ...mail, transport: createTransport(mail) }),
    log,
    periods: PERIODS,
    onResult: (result) => results.push(result),
  })
  mailing.start()
  return lines
}

const untilStatus = (reference: string, status: MessageStatus) =>
  until(async () => (await inbox.find(reference))?.status === status)

test('a kept message is mailed once', async () => {
  const { reference } = await inbox.keep(createMessage())
  const lines = start()
  await until(() => smtp.mails.length === 1)
  const [mail] = smtp.mails
  expect(mail && findMailFaults(mail)).toEqual([])
  expect(mail?.email.text).toMatch(/Bonjour, j’aimerais une formation\.\n$/)
  await untilStatus(reference, 'mailed')
  mailing?.wake()
  await mailing?.stop(1000)
  expect(smtp.mails).toHaveLength(1)
  expect(results).toEqual(['accepted'])
  expect(lines).toEqual([['info', 'message mailed', { reference }]])
})

test('the daily letter, also of a start in the afternoon, holds the text of a dead message, which is then mailed again and can be answered', async () => {
  inbox = place.open({ now: () => NOON + 8 * HOUR_MS })
  const { reference } = await inbox.keep(createMessage())
  for (const mail of await inbox.lease({ limit: 1, leaseMs: 60_000 })) {
    await inbox.settle(mail, { kind: 'dead', error: '554' })
  }
  start()
  await until(() => smtp.mails.length === 2)
  const texts = smtp.mails.map(({ email }) => email.text)
  expect(texts[0]).toContain('\n> Bonjour, j’aimerais une formation.\n')
  expect(texts[1]).toContain('\nBonjour, j’aimerais une formation.\n')
  const visitor = expect.stringContaining('<zoe@exemple.ca>')
  expect(smtp.mails.map(({ headers }) => headers['Reply-To'])).toEqual([MAIL_TO, visitor])
  const name = `Site Web – ${company.legalName.fr}`
  for (const { email } of smtp.mails) expect(email.from).toEqual({ name, address: MAIL_FROM })
  await untilStatus(reference, 'mailed')
})

test('two outboxes deliver everything through a server that fails half the time', async () => {
  inbox = place.open()
  const sent = Array.from({ length: 16 }, (_, n) => createMessage({ message: `Message ${n}` }))
  const receipts = await Promise.all(sent.map((message) => inbox.keep(message)))
  const seed = Date.now()
  const storm = await startStorm(seed)
  const checkDone = async () => (await inbox.countByStatus()).mailed === sent.length
  await storm.mailUntil([inbox.plain, place.open().plain], checkDone)
  const { wrong } = await storm.stop(receipts.map(({ reference }) => reference))
  expect({ seed, wrong }).toEqual({ seed, wrong: [] })
})
