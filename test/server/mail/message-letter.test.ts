import type { Message } from '../../../server/inbox/inbox.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { composeMessage, describeMessage } from '../../../server/mail/message-letter.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { createRandom } from '../../../tools/harness/numbers.ts'
import { startSmtp } from '../../../tools/harness/smtp.ts'
import { createHostileMessage } from '../../support/hostile-messages.ts'
import { createStored } from '../../support/inbox.ts'

const MESSAGE = createStored()

test('names the person first, in both languages, and has the text last', () => {
  expect(composeMessage(MESSAGE)).toEqual({
    id: 'RG-AAAAA-BBBBB',
    subject: "Zoé O'Neil – Services francophones / Francophone services (RG-AAAAA-BBBBB)",
    replyTo: { name: "Zoé O'Neil", address: 'zoe@exemple.québec' },
    text: `Zoé O'Neil vous écrit par le site : Services francophones.
Zoé O'Neil writes to you through the site: Francophone services.

Répondez à ce courriel, dans la langue du message : votre réponse lui parviendra.
Reply to this email, in the language of the message: your reply reaches them.

Courriel / Email : zoe@exemple.québec
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Page lue en / Page read in : français / French
Référence / Reference : RG-AAAAA-BBBBB
À effacer, ici comme sur le site, le / To be deleted, here as on the site, on : 2028-05-02
------------------------------------------------------------
Bonjour,

	une formation?
`,
  })
})

test('leaves out a sector that was not chosen', () => {
  const { subject, text } = composeMessage({ ...MESSAGE, service: '' })
  expect(subject).toBe("Zoé O'Neil – Demande d’information / Information request (RG-AAAAA-BBBBB)")
  expect(text).toMatch(/^Zoé O'Neil vous écrit par le site\.\nZoé O'Neil writes .* the site\.\n/)
})

test('says nothing of hidden fields, because the visitor reads the quote of a reply', () => {
  const released = composeMessage({ ...MESSAGE, trapped: ['website', 'url'] })
  expect(released).toEqual(composeMessage(MESSAGE))
})

test('cuts a long name, and takes the address for one that shows nothing', () => {
  const getName = (firstName: string) =>
    composeMessage({ ...MESSAGE, firstName, lastName: '\u3164' }).replyTo?.name
  expect(getName('👩'.repeat(61))).toBe(`${'👩'.repeat(59)}…`)
  expect(getName('\u2800')).toBe('zoe@exemple.québec')
})

test('counts the days that the site keeps a message by its status', () => {
  const periods = { retentionDays: 10, quarantineDays: 1 }
  const read = (status: Message['status']) =>
    describeMessage({ ...MESSAGE, status }, periods).erasureDate
  expect([read('new'), read('quarantined')]).toEqual(['2026-05-13', '2026-05-04'])
})

test.each([
  ['\u2800'.repeat(60), ' '],
  ['\u3164\u115f\u1160\uffa0', ' '],
  ['\u{13441}\u{1d159}\ufffc', ' '],
  [' \u200d\u00ad\u200b\u{e0041}\u034f', ' '],
  ['\u2800\u200d'.repeat(30), ' '],
  ['\u202e\u2066\r\n\u0085\u2028\0\t', ' '],
  ['=?utf-8?q?=0D=0A=E2=80=AE?=', '= ?utf-8?q?=0D=0A=E2=80=AE?='],
  // Names in Persian and Sinhala, an ideograph with a variant, and an emoji need signs without width.
  ...['علی\u200cرضا', 'ශ්\u200dරී', '葛\u{e0100}', '👩🏽\u200d🚒\ufe0f'].map((name) => [name, name]),
])('shows %j in a name as %j', (typed, shown) => {
  const { replyTo, subject, text } = composeMessage({
    ...MESSAGE,
    firstName: `A${typed}B`,
    lastName: 'C',
  })
  expect(replyTo?.name).toBe(`A${shown}B C`)
  expect(subject.startsWith(`A${shown}B C – `)).toBe(true)
  expect(text.startsWith(`A${shown}B C vous écrit`)).toBe(true)
})

test('typed text adds no header, no recipient and no line of ours', async () => {
  const seed = Date.now()
  const random = createRandom(seed)
  const smtp = await startSmtp()
  const server = { host: '127.0.0.1', port: smtp.port, tls: 'off' } as const
  const mailer = createMailer({ server, from: MAIL_FROM, to: MAIL_TO, senderName: 'Groupe RG' })
  const messages = Array.from({ length: 300 }, (_, n) => createHostileMessage(random, n))
  await Promise.all(messages.map((message) => mailer.send(composeMessage(message))))
  await smtp.stop()
  expect(smtp.mails).toHaveLength(messages.length)
  const errors = smtp.mails.flatMap((mail) => findMailFaults(mail))
  expect({ seed, errors }).toEqual({ seed, errors: [] })
})
