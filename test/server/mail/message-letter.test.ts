import type { Message } from '../../../server/inbox/inbox.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { composeMessage } from '../../../server/mail/message-letter.ts'
import { createHostileMessage } from '../../../tools/harness/hostile-messages.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { createRandom } from '../../../tools/harness/random.ts'
import { startSmtp } from '../../../tools/harness/smtp.ts'

const MESSAGE: Message = {
  reference: 'RG-AAAAA-BBBBB',
  receivedAt: '2026-05-04T03:30:00.000Z',
  status: 'new',
  firstName: 'Zoé',
  lastName: "O'Neil",
  email: 'zoe@exemple.québec',
  service: 'francophone',
  message: 'Bonjour,\n\n\tune formation?',
  trapped: [],
  language: 'fr',
}

test('says everything of a message in both languages, what was typed last', () => {
  expect(composeMessage(MESSAGE)).toEqual({
    id: 'RG-AAAAA-BBBBB',
    subject: 'Message du site / Website message RG-AAAAA-BBBBB',
    replyTo: { name: "Zoé O'Neil", address: 'zoe@exemple.québec' },
    text: `Référence / Reference : RG-AAAAA-BBBBB
Reçu / Received : 2026-05-03 23:30 (America/Toronto)
Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : Services francophones / Francophone services
Langue / Language : français / French

Votre réponse à ce courriel ira à cette personne. / Your answer to this mail will go to this person.

------------------------------------------------------------
Bonjour,

	une formation?
`,
  })
})

test('names the traps of a message that was released from quarantine', () => {
  const { text } = composeMessage({ ...MESSAGE, trapped: ['website', 'url'] })
  expect(text).toMatch(/^Pièges remplis \/ Filled traps : website, url$/m)
})

test('nothing typed adds a header, a recipient or a line of ours', async () => {
  const seed = Date.now()
  const random = createRandom(seed)
  const smtp = await startSmtp()
  const server = { host: '127.0.0.1', port: smtp.port, tls: 'off' } as const
  const mailer = createMailer({ server, from: MAIL_FROM, to: MAIL_TO, senderName: 'Groupe RG' })
  const messages = Array.from({ length: 300 }, (_, n) => createHostileMessage(random, n))
  await Promise.all(messages.map((message) => mailer.send(composeMessage(message))))
  await smtp.stop()
  expect(smtp.mails).toHaveLength(messages.length)
  const faults = smtp.mails.flatMap((mail) => findMailFaults(mail))
  expect({ seed, faults }).toEqual({ seed, faults: [] })
})
