import fc from 'fast-check'
import type { Digest, Message, Pending } from '../../../server/inbox/inbox.ts'
import { composeDigest } from '../../../server/mail/digest-letter.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { composeMessage } from '../../../server/mail/message-letter.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { startSmtp } from '../../../tools/harness/smtp.ts'
import { HOSTILE_PIECES } from '../../../tools/proofs/fuzz/inputs.ts'
import { createStored, PERIODS } from '../../support/inbox.ts'

const MESSAGE = createStored()
const writeLetter = (message: Message) => composeMessage(message, PERIODS)
const writeDigest = (digest: Digest) => composeDigest('2026-05-04', digest, PERIODS)

test('the mail names the person first, in both languages, and has the text last', () => {
  expect(writeLetter(MESSAGE)).toEqual({
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
Effacé du site, et à effacer ici, le / Erased from the site, and to be deleted here, on : 2028-05-02
------------------------------------------------------------
Bonjour,

	une formation?
`,
  })
})

test('the mail leaves out a sector that was not chosen', () => {
  const { subject, text } = writeLetter({ ...MESSAGE, service: '' })
  expect(subject).toBe("Zoé O'Neil – Demande d’information / Information request (RG-AAAAA-BBBBB)")
  expect(text).toMatch(/^Zoé O'Neil vous écrit par le site\.\nZoé O'Neil writes .* the site\.\n/)
})

test('the mail says nothing of hidden fields, because the visitor reads the quote of a reply', () => {
  const released = writeLetter({ ...MESSAGE, trapped: ['website', 'url'] })
  expect(released).toEqual(writeLetter(MESSAGE))
})

test('the mail cuts a long name, and takes the address for one that shows nothing', () => {
  const getName = (firstName: string) =>
    writeLetter({ ...MESSAGE, firstName, lastName: '\u3164' }).replyTo?.name
  expect(getName('👩'.repeat(61))).toBe(`${'👩'.repeat(59)}…`)
  expect(getName('\u2800')).toBe('zoe@exemple.québec')
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
])('the mail shows %j in a name as %j', (typed, shown) => {
  const letter = writeLetter({ ...MESSAGE, firstName: `A${typed}B`, lastName: 'C' })
  const name = `A${shown}B C`
  expect(letter.replyTo?.name).toBe(name)
  expect(letter.subject.startsWith(`${name} – `)).toBe(true)
  expect(letter.text.startsWith(`${name} vous écrit`)).toBe(true)
})

const createText = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...HOSTILE_PIECES), { maxLength, size: 'max' })
    .map((pieces) => pieces.join(''))
const emails = ['zoe@exemple.ca', "o'neil+tag@sub.exemple.ca", 'user%x@y.ca', 'a@exemple.québec']
const email = fc.constantFrom(...emails)
/** Fields that the form would usually refuse. */
const hostileFields = fc.record({
  firstName: createText(8),
  lastName: createText(8),
  email: fc
    .tuple(createText(3), fc.oneof(email, fc.constant('x')), createText(3))
    .map((parts) => parts.join('')),
  service: fc.constantFrom('' as const, 'francophone' as const),
  message: createText(30),
  language: fc.constantFrom(...LANGUAGES),
})

test('typed text adds no header, no recipient and no line of ours', async () => {
  const seed = Date.now()
  const smtp = await startSmtp()
  const server = { host: '127.0.0.1', port: smtp.port, tls: 'off' } as const
  const mailer = createMailer({ server, from: MAIL_FROM, to: MAIL_TO, senderName: 'Groupe RG' })
  const samples = fc.sample(hostileFields, { seed, numRuns: 300 })
  const messages = samples.map((fields, n) =>
    createStored({ ...fields, reference: `RG-${String(n).padStart(5, '0')}-TEST2` }),
  )
  await Promise.all(messages.map((message) => mailer.send(writeLetter(message))))
  await smtp.stop()
  expect(smtp.mails).toHaveLength(messages.length)
  const errors = smtp.mails.flatMap((mail) => findMailFaults(mail))
  expect({ seed, errors }).toEqual({ seed, errors: [] })
})

const NONE: Pending = { messages: [], count: 0, newCount: 0 }
const NOTHING: Digest = {
  quarantined: NONE,
  dead: NONE,
  counts: { new: 0, mailed: 0, dead: 0, quarantined: 0, archived: 0 },
  held: 0,
  mailPerHour: 120,
  wasRefused: false,
}

test('the letter reports that there is nothing to do', () => {
  expect(writeDigest(NOTHING)).toEqual({
    id: 'digest-2026-05-04',
    subject: 'Rien de nouveau à vérifier / Nothing new to check – 2026-05-04',
    text: `Rien de nouveau à vérifier ce matin, le 2026-05-04 (heure de Toronto). Rien à faire.
Nothing new to check this morning, 2026-05-04 (Toronto time). Nothing to do.
`,
  })
})

const dead = createStored({ reference: 'RG-B', status: 'dead', service: '', trapped: ['url'] })
const spam = createStored({ status: 'quarantined', trapped: ['url'], message: 'a\nb\u2028c' })
const WAITING: Digest = {
  ...NOTHING,
  quarantined: { messages: [{ ...spam, reference: 'RG-A', isNew: true }], count: 12, newCount: 1 },
  dead: { messages: [{ ...dead, isNew: false }], count: 1, newCount: 0 },
  counts: { ...NOTHING.counts, new: 40 },
  nextMailAt: Date.parse('2026-05-04T12:15:00Z'),
  held: 37,
}

test('the letter carries the texts of quarantined and of dead messages, the new ones marked', () => {
  const { text } = writeDigest(WAITING)
  expect(
    text.replaceAll('\u00a0', ' '),
  ).toBe(`Ce qui vous attend ce matin, le 2026-05-04 (heure de Toronto)
Waiting for you this morning, 2026-05-04 (Toronto time)

À VÉRIFIER, pourriels possibles / TO CHECK, possible spam : 12 (nouveaux / new : 1)
Si un message est authentique, écrivez à l’adresse qu’il donne : une réponse à cette lettre ne lui parviendrait pas. Sinon, ne faites rien : le site l’efface à la date indiquée.
If a message is genuine, write to the address it gives: a reply to this letter would not reach it. Otherwise do nothing: the site erases it on the date shown.

NOUVEAU / NEW
Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : Services francophones / Francophone services
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Mis à part / Set aside : un champ caché a été rempli (url) / a hidden field was filled in (url)
Effacé du site le / Erased from the site on : 2026-06-02
Référence / Reference : RG-A
> a
> b
> c

Plus anciens, non repris ici / Older ones, not shown here : 11

NON TRANSMIS malgré de nombreux essais / NOT DELIVERED despite many tries : 1 (nouveaux / new : 0)
Écrivez à cette personne à l’adresse indiquée; le site essaie de nouveau chaque jour.
Write to this person at the address shown; the site tries again each day.

Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : Aucun en particulier / None in particular
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Effacé du site le / Erased from the site on : 2028-05-02
Référence / Reference : RG-B
> Bonjour,
> ${''}
> 	une formation?

En attente d’envoi / Waiting to be sent : 40, prochain essai / next attempt 2026-05-04 08:15
Dont retenus, car le site envoie au plus 120 messages par heure : 37
Of these held back, because the site sends at most 120 messages an hour: 37

Cette lettre contient des messages : effacez-la quand ils sont réglés, au plus tard à la dernière date indiquée.
This letter contains messages: delete it once they are dealt with, at the latest on the last date shown.
`)
})

test.each([
  [1, 1, 3, 0, '1 nouveau message à vérifier / 1 new message to check', ' (4 en tout / 4 in all)'],
  [1, 1, 1, 1, '2 nouveaux messages à vérifier / 2 new messages to check', ''],
  [2, 0, 1, 0, 'Rien de nouveau à vérifier / Nothing new to check', ' (3 en attente / 3 waiting)'],
])('the subject says what is new and what waits: %j, %j new; dead %j, %j new', (...row) => {
  const [quarantined, newQuarantined, dead, newDead, news, total] = row
  const letter = writeDigest({
    ...NOTHING,
    quarantined: { ...NONE, count: quarantined, newCount: newQuarantined },
    dead: { ...NONE, count: dead, newCount: newDead },
  })
  expect(letter.subject).toBe(`${news} – 2026-05-04${total}`)
  const stillWaiting = 'Nothing new; the messages below are still waiting.'
  expect(letter.text.includes(stillWaiting)).toBe(news.startsWith('Rien'))
})

test('a letter without the texts names the messages, and nothing typed', () => {
  const { text } = writeDigest({ ...WAITING, wasRefused: true })
  expect(text).toContain('refused the texts')
  expect(text).toContain('\nRG-A, reçu / received 2026-05-03 23:30\n')
  expect(text).not.toMatch(/Zoé|zoe@|une formation|address|date shown/)
})
