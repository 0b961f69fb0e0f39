import type { Message } from '../../../server/inbox/inbox.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { composeMessage } from '../../../server/mail/message-letter.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { createRandom } from '../../../tools/harness/numbers.ts'
import { startSmtp } from '../../../tools/harness/smtp.ts'
import { createHostileMessage } from '../../support/hostile-messages.ts'
import { createStored } from '../../support/inbox.ts'

const MESSAGE = createStored()

test('describes a message in both languages, and quotes its text last', () => {
  expect(composeMessage(MESSAGE)).toEqual({
    id: 'RG-AAAAA-BBBBB',
    subject:
      'Message du site / Website message RG-AAAAA-BBBBB – Services francophones / Francophone services',
    replyTo: { name: "Zoé O'Neil", address: 'zoe@exemple.québec' },
    text: `Référence / Reference : RG-AAAAA-BBBBB
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : Services francophones / Francophone services
Répondre en / Answer in : français / French
Conservé sur le site jusqu’au / Kept on the site until : 2028-05-02 (effacez alors aussi ce courriel / then delete this email too)

Répondez à ce courriel : votre réponse ira à cette personne. / Reply to this email: your reply goes to this person.
------------------------------------------------------------
Bonjour,

	une formation?
`,
  })
})

test('leaves a sector that was not chosen out of the subject', () => {
  const { subject } = composeMessage({ ...MESSAGE, service: '' })
  expect(subject).toBe('Message du site / Website message RG-AAAAA-BBBBB')
})

test('names the hidden fields of a message released from quarantine', () => {
  const { text } = composeMessage({ ...MESSAGE, trapped: ['website', 'url'] })
  const title =
    'Champs cachés remplis (pourriel possible) / Hidden fields filled in (possible spam)'
  expect(text).toContain(`\n${title}\u00a0: website, url\n`)
})

test('counts the days that the site keeps a message by its status', () => {
  const periods = { retentionDays: 10, quarantineDays: 1 }
  const read = (status: Message['status']) =>
    /until\u00a0: (\S+)/.exec(composeMessage({ ...MESSAGE, status }, periods).text)?.[1]
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
  const { replyTo, text } = composeMessage({ ...MESSAGE, firstName: `A${typed}B`, lastName: 'C' })
  expect(replyTo?.name).toBe(`A${shown}B C`)
  expect(text).toContain(`\nNom / Name\u00a0: A${shown}B C\n`)
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
