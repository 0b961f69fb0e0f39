import fc from 'fast-check'
import type { Digest, Message, PendingMessages } from '../../../server/inbox/inbox.ts'
import { composeDigest } from '../../../server/mail/digest-letter.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { composeMessage } from '../../../server/mail/message-letter.ts'
import { createTransport } from '../../../server/mail/transport.ts'
import { mapFields, type TypedField } from '../../../shared/contact-fields.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { startSmtp } from '../../../tools/harness/smtp.ts'
import { HOSTILE_PIECES } from '../../support/hostile-pieces.ts'
import { createStored, PERIODS } from '../../support/inbox.ts'

const [FR, EN] = [fr.contact.form, en.contact.form]
const MESSAGE = createStored()
const writeLetter = (message: Message) => composeMessage(message, PERIODS)
/** A text of the form in both languages. */
const inBoth = (pick: (form: typeof fr.contact.form) => string) =>
  `${pick(fr.contact.form)} / ${pick(en.contact.form)}`

test('the mail names the person first, in both languages, and has the text last', () => {
  expect(writeLetter(MESSAGE)).toEqual({
    id: 'RG-AAAAA-BBBBB',
    subject: `Zoé O'Neil – ${inBoth(({ services }) => services.francophone)} (RG-AAAAA-BBBBB)`,
    replyTo: { name: "Zoé O'Neil", address: 'zoe@exemple.québec' },
    text: `Zoé O'Neil vous a écrit au moyen du site : ${FR.services.francophone}.
Zoé O'Neil has written to you through the site: ${EN.services.francophone}.

Répondez à ce courriel, dans la langue du message : votre réponse ira à l’adresse ci-dessous.
Reply to this email, in the language of the message: your reply goes to the address below.

Courriel / Email : zoe@exemple.québec
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Page lue en / Page read in : français / French
Référence / Reference : RG-AAAAA-BBBBB
Effacé du site, et à effacer de votre boîte de courriel, le / Erased from the site, and to be deleted from your mailbox, on : 2028-05-02
------------------------------------------------------------
Bonjour,

	une formation?
`,
  })
})

test('the mail leaves out a sector that was not chosen', () => {
  const { subject, text } = writeLetter({ ...MESSAGE, service: '' })
  expect(subject).toBe("Zoé O'Neil – Demande d’information / Information request (RG-AAAAA-BBBBB)")
  expect(text).toMatch(
    /^Zoé O'Neil vous a écrit au moyen du site\.\nZoé O'Neil has written .* the site\.\n/,
  )
})

test('the mail names a service that the form no longer has by its id', () => {
  const { subject, text } = writeLetter({ ...MESSAGE, service: 'roads' })
  expect(subject).toContain(' – roads (')
  expect(text).toMatch(/ du site\u00a0: roads\.\n.* the site: roads\.\n/)
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
  expect(letter.text.startsWith(`${name} vous a écrit`)).toBe(true)
})

const createText = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...HOSTILE_PIECES), { maxLength, size: 'max' })
    .map((pieces) => pieces.join(''))
const emails = ['zoe@exemple.ca', "o'neil+tag@sub.exemple.ca", 'user%x@y.ca', 'a@exemple.québec']
const email = fc.constantFrom(...emails)
/** Fields that the form would usually refuse. */
const hostileFields = fc.record<Record<TypedField, string> & Pick<Message, 'language'>>({
  ...mapFields(() => fc.constant('')),
  firstName: createText(8),
  lastName: createText(8),
  email: fc
    .tuple(createText(3), fc.oneof(email, fc.constant('x')), createText(3))
    .map((parts) => parts.join('')),
  service: fc.constantFrom('', 'francophone'),
  message: createText(30),
  language: fc.constantFrom(...LANGUAGES),
})

test('typed text adds no header, no recipient and no line of ours', async () => {
  const seed = Date.now()
  const smtp = await startSmtp()
  const server = { host: '127.0.0.1', port: smtp.port, tls: 'off' } as const
  const transport = createTransport({ server })
  const mailer = createMailer({ transport, from: MAIL_FROM, to: MAIL_TO })
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

const pending = (...oldest: Message[]): PendingMessages => ({ count: oldest.length, oldest })
const NONE = { dead: pending(), quarantined: pending() }
const NOTHING: Digest = {
  fresh: NONE,
  reported: NONE,
  unsent: { count: 0, held: 0, oldestAt: 0 },
  mailPerHour: 120,
  mailed: 4,
  wasRefused: false,
}

function writeDigest(change: Partial<Digest>) {
  const letter = composeDigest('2026-05-04', { ...NOTHING, ...change }, PERIODS)
  return { ...letter, text: letter.text.replaceAll('\u00a0', ' ') }
}

const END = `Messages qui vous ont été envoyés depuis la dernière lettre : 4. S’il vous en manque, regardez dans les pourriels, puis appelez la personne qui exploite le site. Le site ne sait pas si vous y avez répondu.
Messages emailed to you since the last letter: 4. If any are missing, look in your spam folder, then call whoever operates the site. The site does not know whether you have replied.
Cette lettre arrive chaque matin vers 8 h, même quand il n’y a rien à signaler, pour que son absence vous avertisse : si elle n’est ni dans votre boîte ni dans les pourriels, quelque chose est en panne; appelez le jour même la personne qui exploite le site.
This letter comes each morning at about 8 a.m., even when there is nothing to report, so that you notice if it stops: if it is neither in your mailbox nor in your spam folder, something is down; call whoever operates the site the same day.
`

test('the letter says that nothing waits, how many messages were mailed and why it comes', () => {
  expect(writeDigest({})).toEqual({
    id: 'digest-2026-05-04',
    subject: 'Rien à vérifier / Nothing to check (2026-05-04)',
    text: `Rien à vérifier.
Nothing to check.

${END}`,
  })
  const { text } = writeDigest({ mailed: 0 })
  expect(text).toContain('\nMessages qui vous ont été envoyés depuis la dernière lettre : 0.\n')
  expect(text).toContain('\nMessages emailed to you since the last letter: 0.\n')
})

const trapped: Partial<Message> = {
  status: 'quarantined',
  trapped: ['url'],
  message: 'a\nb\u2028c',
}
const spam = createStored({ ...trapped, reference: 'RG-A' })
const dead = createStored({ status: 'dead', reference: 'RG-B', service: '' })
const oldSpam = createStored({ ...trapped, reference: 'RG-C' })
const oldDead = createStored({ status: 'dead', reference: 'RG-D' })
const unsent = { count: 40, held: 37, oldestAt: Date.parse('2026-05-01T12:15:00Z') }
const WAITING = {
  fresh: { dead: pending(dead), quarantined: pending(spam) },
  reported: { dead: pending(oldDead), quarantined: pending(oldSpam) },
  unsent,
}

test('the letter carries the texts of new messages, a line of each older one, and what to do', () => {
  expect(
    writeDigest(WAITING).text,
  ).toBe(`2 messages n’ont pas pu vous être envoyés, 40 messages en attente d’envoi depuis le 2026-05-01, 1 nouveau message à vérifier.
2 messages could not be emailed to you, 40 messages waiting to be emailed since 2026-05-01, 1 new message to check.

NON ENVOYÉS malgré de nombreuses tentatives / NOT EMAILED despite many tries : 1
Si ce n’est pas encore fait, écrivez aujourd’hui à la personne (une réponse à cette lettre ne lui parviendrait pas). Ensuite, donnez la référence à la personne qui exploite le site : elle retire le message de cette lettre. Elle peut aussi vous le lire. D’ici là, le site tente chaque jour de vous l’envoyer.
If you have not yet, write to the person today (a reply to this letter would not reach them). Then give the reference to whoever operates the site, who will remove the message from this letter, and can also read it to you. Until then, the site tries each day to email it to you.

Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : ${inBoth(({ noService }) => noService)}
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Sera effacé du site le / Will be erased from the site on : 2028-05-02
Référence / Reference : RG-B
> Bonjour,
> ${''}
> 	une formation?

À VÉRIFIER, pourriels possibles / TO CHECK, possible spam : 1
Un champ que les visiteurs ne voient pas a été rempli, souvent par un robot, parfois par un gestionnaire de mots de passe. Ne cliquez sur aucun lien. Si un message est authentique, écrivez à l’adresse qu’il donne (une réponse à cette lettre n’y parviendrait pas); pour que le site le garde, donnez sa référence à la personne qui exploite le site. Sinon, ne faites rien : le site l’efface à la date indiquée.
A field that visitors do not see was filled in, often by a robot, sometimes by a password manager. Do not click any links. If a message is genuine, write to the address it gives (a reply to this letter would not reach the sender); to have the site keep it, give its reference to whoever operates the site. Otherwise do nothing: the site erases it on the date shown.

Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : ${inBoth(({ services }) => services.francophone)}
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Sera effacé du site le / Will be erased from the site on : 2026-06-02
Référence / Reference : RG-A
> a
> b
> c

DÉJÀ SIGNALÉS, non envoyés / ALREADY REPORTED, not emailed : 1
Si ce n’est pas encore fait, écrivez aujourd’hui à la personne (une réponse à cette lettre ne lui parviendrait pas). Ensuite, donnez la référence à la personne qui exploite le site : elle retire le message de cette lettre. Elle peut aussi vous le lire. D’ici là, le site tente chaque jour de vous l’envoyer.
If you have not yet, write to the person today (a reply to this letter would not reach them). Then give the reference to whoever operates the site, who will remove the message from this letter, and can also read it to you. Until then, the site tries each day to email it to you.
RG-D, sera effacé le / will be erased on 2028-05-02, Zoé O'Neil, zoe@exemple.québec

DÉJÀ SIGNALÉS, pourriels possibles / ALREADY REPORTED, possible spam : 1
Si vous ne faites rien, le site efface chacun à la date indiquée. Pour relire un message, ou pour que le site le garde, donnez sa référence à la personne qui exploite le site.
If you do nothing, the site erases each on the date shown. To read one again, or to have the site keep it, give its reference to whoever operates the site.
RG-C, sera effacé le / will be erased on 2026-06-02, Zoé O'Neil, zoe@exemple.québec

EN ATTENTE D’ENVOI / WAITING TO BE EMAILED : 40
Le plus ancien attend depuis le 2026-05-01 08:15 (heure de Toronto).
The oldest has been waiting since 2026-05-01 08:15 (Toronto time).
Attendent leur tour, à 120 messages par heure au plus : 37. Ils partiront d’eux-mêmes. Si ce nombre vous étonne, ce sont peut-être des robots : appelez la personne qui exploite le site.
Waiting their turn, at no more than 120 messages an hour: 37. They will go out on their own. If that number surprises you, robots may be at work: call whoever operates the site.
Pas encore acceptés par votre serveur de courriel : 3. Ils restent sur le site, qui continue d’essayer. Appelez aujourd’hui la personne qui exploite le site : elle peut vous les lire.
Not yet accepted by your mail server: 3. They stay on the site, which keeps trying. Today, call whoever operates the site, who can read them to you.

Cette lettre contient des renseignements personnels : effacez-la quand tout est réglé, au plus tard à la première date d’effacement.
This letter contains personal information: delete it once everything has been dealt with, at the latest on the first erasure date.

${END}`)
})

test('the letter quotes ten new messages, and lists the others without their texts', () => {
  const messages = Array.from({ length: 12 }, (_, n) =>
    createStored({ ...trapped, reference: `RG-${n}`, message: `text ${n}` }),
  )
  const { text } = writeDigest({
    fresh: { ...NONE, quarantined: { count: 15, oldest: messages } },
  })
  expect(text).toContain('TO CHECK, possible spam : 15\n')
  expect(text).toContain(`
> text 9

Les suivants, sans leur texte, que la personne qui exploite le site peut vous lire :
The next ones, without their texts, which whoever operates the site can read to you:
RG-10, sera effacé le / will be erased on 2026-06-02, Zoé O'Neil, zoe@exemple.québec
RG-11, sera effacé le / will be erased on 2026-06-02, Zoé O'Neil, zoe@exemple.québec
Autres, non énumérés ici / Others, not listed here : 3
`)
})

test('the letter asks for a call only when the mail server has not accepted a message for two days', () => {
  const oldestAt = Date.parse('2026-05-03T12:15:00Z')
  const early = writeDigest({ unsent: { ...unsent, oldestAt } }).text
  expect(early).toContain('If that lasts more than a day, call')
  const paced = writeDigest({ unsent: { ...unsent, held: 40 } }).text
  expect(paced).toContain('an hour: 40. They will go out on their own.')
  expect(paced).not.toMatch(/accepted|today/)
})

const NO_NEWS = 'Rien de nouveau à vérifier / Nothing new to check'

test.each<[Partial<Digest>, news: string]>([
  [
    { fresh: { ...NONE, quarantined: { count: 200, oldest: [spam] } } },
    '200 nouveaux messages à vérifier / 200 new messages to check',
  ],
  [
    { fresh: { ...NONE, dead: pending(dead) } },
    '1 message n’a pas pu vous être envoyé / 1 message could not be emailed to you',
  ],
  [{ reported: { ...NONE, quarantined: pending(oldSpam) } }, NO_NEWS],
  [
    { reported: { ...NONE, dead: pending(oldDead) } },
    '1 message n’a pas pu vous être envoyé / 1 message could not be emailed to you',
  ],
  [
    {
      fresh: { ...NONE, quarantined: pending(spam) },
      reported: { ...NONE, dead: pending(oldDead, oldDead) },
    },
    '2 messages n’ont pas pu vous être envoyés, 1 nouveau message à vérifier / 2 messages could not be emailed to you, 1 new message to check',
  ],
  [
    { unsent },
    '40 messages en attente d’envoi depuis le 2026-05-01 / 40 messages waiting to be emailed since 2026-05-01',
  ],
])('the subject says what waits, the most urgent first: %#', (change, news) => {
  const { subject, text } = writeDigest(change)
  expect(subject).toBe(`${news} (2026-05-04)`)
  expect(text).not.toMatch(/Rien à vérifier|Nothing to check/)
})

test('a letter without the texts says who can read them and what to do, and shows nothing typed', () => {
  const { text } = writeDigest({ ...WAITING, wasRefused: true })
  expect(text).toContain(
    'Today, ask whoever operates the site to read you the names, addresses and texts.\n',
  )
  expect(text).toContain('\nRG-A, sera effacé le / will be erased on 2026-06-02\n')
  expect(text).toContain('\nRG-D, sera effacé le / will be erased on 2028-05-02\n')
  expect(text).toContain('\nIf you do nothing, the site erases each on the date shown.')
  expect(text).not.toMatch(/Zoé|zoe@|une formation/)
  expect(writeDigest({ wasRefused: true })).toEqual(writeDigest({}))
})
