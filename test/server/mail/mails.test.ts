import { writeFileSync } from 'node:fs'
import { loadConfig } from '../../../server/config.ts'
import type { LetterFacts } from '../../../server/inbox/letter-facts.ts'
import type { Message } from '../../../server/inbox/message.ts'
import { getBackupPath } from '../../../server/inbox/nightly-backup.ts'
import { type Conditions, findConditions } from '../../../server/mail/conditions.ts'
import { composeDailyLetter } from '../../../server/mail/daily-letter.ts'
import { createMailer } from '../../../server/mail/mailer.ts'
import { composeMessageMail } from '../../../server/mail/message-mail.ts'
import { mapFields } from '../../../shared/contact-fields.ts'
import { company, findPlaceholders } from '../../../shared/content/company.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { startSmtp } from '../../../tools/harness/smtp.ts'
import { createFolder } from '../../support/folders.ts'
import { createStored, NOON, PERIODS } from '../../support/inbox.ts'

const [FR, EN] = [fr.contact.form, en.contact.form]
const MESSAGE = createStored()
const writeMail = (message: Message) => composeMessageMail(message, PERIODS)
/** A text of the form in both languages. */
const inBoth = (pick: (form: typeof fr.contact.form) => string) =>
  `${pick(fr.contact.form)} / ${pick(en.contact.form)}`

test('the mail names the person first, in both languages, and has the text last', () => {
  expect(writeMail(MESSAGE)).toEqual({
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

test('the mail has every field of the form', () => {
  const service = 'health-safety'
  const typed = { ...mapFields((name) => `a ${name}`), service }
  const { text } = writeMail(createStored(typed))
  const shown = { ...typed, service: FR.services[service] }
  expect(Object.values(shown).filter((value) => !text.includes(value))).toEqual([])
})

test('the mail leaves out a sector that was not chosen', () => {
  const { subject, text } = writeMail({ ...MESSAGE, service: '' })
  expect(subject).toBe("Zoé O'Neil – Demande d’information / Information request (RG-AAAAA-BBBBB)")
  expect(text).toMatch(
    /^Zoé O'Neil vous a écrit au moyen du site\.\nZoé O'Neil has written .* the site\.\n/,
  )
})

test.each([
  ['\u2800'.repeat(60), ' '],
  [' \u200d\u00ad\u200b\u{e0001}\u034f', ' '],
  ['\u202e\u2066\r\n\u0085\u2028\0\t', ' '],
  ['=?utf-8?q?=0D=0A=E2=80=AE?=', '= ?utf-8?q?=0D=0A=E2=80=AE?='],
  // Names in Persian and Sinhala, an ideograph with a variant, and an emoji need signs without width.
  ...[
    'علی\u200cرضا',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'ශ්\u200dරී',
    '葛\u{e0100}',
    '👩🏽\u200d🚒\ufe0f',
    '❤\ufe0f 1\ufe0f\u20e3',
  ].map((name) => [name, name]),
])('the mail shows %j in a name as %j', (typed, shown) => {
  const mail = writeMail({ ...MESSAGE, firstName: `A${typed}B`, lastName: 'C' })
  const name = `A${shown}B C`
  expect(mail.replyTo?.name).toBe(name)
  expect(mail.subject.startsWith(`${name} – `)).toBe(true)
  expect(mail.text.startsWith(`${name} vous a écrit`)).toBe(true)
})

/** Pieces of text that can break headers, lines, encodings or lists of addresses. */
const HOSTILE_PIECES = [
  ...['\r\n', '\n', '\r', '\0', '\t', '\v', '\f', '\u0085', '\u2028', '\u2029', '\u202e', '\u202a'],
  ...['\u2066', '\u2069', '\u200f', '\u061c', '\u200d', '\ufeff', '\ud800', '\udfff'],
  ...' ,;:"\'\\<>()[]@.',
  ...['\r\n.\r\n', '\r\n\r\n', '\r\n '],
  'Bcc: spy@evil.example',
  '\r\nBcc: spy@evil.example\r\n',
  '\nTo: spy@evil.example',
  '\r\nRCPT TO:<spy@evil.example>\r\n',
  'undisclosed: spy@evil.example;',
  ', spy@evil.example',
  '<spy@evil.example>',
  '" <spy@evil.example>',
  '=?utf-8?Q?=0D=0ABcc:_spy@evil.example?=',
  '=?utf-8?B?DQpCY2M6IHNweUBldmlsLmV4YW1wbGU=?=',
  '%0d%0aBcc:',
  ...['----', 'zoe@exemple.ca', '@exemple.québec', 'Éloïse', '𝒵👩🏽‍🚒', 'ᐃᓄᒃᑎᑐᑦ', 'מרים'],
  'x'.repeat(300),
]

test('typed text adds no header, no recipient and no line of ours', async () => {
  const smtp = await startSmtp()
  const server = { host: '127.0.0.1', port: smtp.port, tls: 'off' } as const
  const mailer = createMailer({ server, from: MAIL_FROM, to: MAIL_TO })
  const send = (piece: string, n: number) => {
    const next = HOSTILE_PIECES.at(n + 1 - HOSTILE_PIECES.length)
    const message = createStored({
      reference: `RG-${String(n).padStart(5, '0')}-TEST2`,
      firstName: `Zoé${piece}${next}`,
      lastName: piece,
      // The form would refuse most of them.
      email: n % 2 ? `${piece}zoe@exemple.ca` : `zoe@exemple.ca${piece}`,
      message: `${piece}${next}Bonjour${piece}`,
    })
    return mailer.send(writeMail(message))
  }
  // A server waits before it greets, so some at a time; on a busy machine, a connection among all may wait too long.
  for (let first = 0; first < HOSTILE_PIECES.length; first += 5) {
    const some = HOSTILE_PIECES.slice(first, first + 5)
    await Promise.all(some.map((piece, index) => send(piece, first + index)))
  }
  await smtp.stop()
  expect(smtp.mails).toHaveLength(HOSTILE_PIECES.length)
  expect(smtp.mails.flatMap((mail) => findMailFaults(mail))).toEqual([])
})

const NOTHING: LetterFacts = {
  date: '2026-05-04',
  until: 0,
  quarantined: { count: 0, quoted: [] },
  givenUp: { count: 0, quoted: [] },
  waiting: { count: 0, since: 0 },
  mailed: 4,
  errors: [],
  errorDays: [],
}

const WELL: Conditions = { isBackupMissing: false, placeholders: 0 }

function writeDaily(change: Partial<LetterFacts>, conditions = WELL) {
  const letter = composeDailyLetter({ ...NOTHING, ...change }, conditions, PERIODS, 0)
  return { ...letter, text: letter.text.replaceAll('\u00a0', ' ') }
}

const MAILED = `Messages qui vous ont été envoyés depuis la dernière lettre : 4. S’il vous en manque, regardez dans les pourriels, puis appelez la personne qui exploite le site.
Messages emailed to you since the last letter: 4. If any are missing, look in your spam folder, then call whoever operates the site.
`
const ABSENCE = `Cette lettre arrive chaque matin vers 8 h, même quand il n’y a rien à signaler. Si elle n’est ni dans votre boîte ni dans les pourriels, quelque chose est en panne : appelez le jour même la personne qui exploite le site.
This letter comes each morning at about 8 a.m., even when there is nothing to report. If it is neither in your mailbox nor in your spam folder, something is down: call whoever operates the site the same day.
`

test('the letter says that there is nothing to do, how many messages were mailed and why it comes', () => {
  expect(writeDaily({})).toEqual({
    id: 'letter-2026-05-04',
    isAutomatic: true,
    subject: 'Rien à faire / Nothing to do (2026-05-04)',
    text: `Rien à faire.\nNothing to do.\n\n${MAILED}\n${ABSENCE}`,
  })
})

const trapped: Partial<Message> = { status: 'quarantined', trapped: ['url'] }
const spam = createStored({ ...trapped, reference: 'RG-A', message: 'a\nb\u2028c' })
const dead = createStored({ status: 'dead', reference: 'RG-B', service: '' })
const reported = (...quoted: Message[]) => ({ count: quoted.length, quoted })
const waiting = { count: 40, since: Date.parse('2026-05-01T12:15:00Z') }

test('the letter carries the texts of new messages, all that waits, and what to do', () => {
  const facts = {
    quarantined: reported(spam),
    givenUp: reported(dead),
    waiting,
    errors: [{ place: 'browsers', count: 5 }],
  }
  const { subject, text } = writeDaily(facts)
  const [french, english] = [
    'Messages : 1 à traiter aujourd’hui, non envoyés, 40 en attente d’envoi, 1 à vérifier. Points à transmettre',
    'Messages: 1 to deal with today, not emailed, 40 waiting to be emailed, 1 to check. Points to pass on',
  ]
  expect(subject.replaceAll('\u00a0', ' ')).toBe(`${french} / ${english} (2026-05-04)`)
  expect(text).toBe(`${french}.
${english}.

NON ENVOYÉS malgré cinq jours de tentatives / NOT EMAILED despite five days of tries : 1
Écrivez aujourd’hui à la personne, à l’adresse indiquée (une réponse à cette lettre ne lui parviendrait pas), puis appelez la personne qui exploite le site. D’ici là, le site tente chaque jour de vous envoyer le message.
Write to the person today, at the address shown (a reply to this letter would not reach them), then call whoever operates the site. Until then, the site tries each day to email the message to you.

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
Un champ que les visiteurs ne voient pas a été rempli, souvent par un robot, parfois par un gestionnaire de mots de passe. Ne cliquez sur aucun lien. Si un message est authentique, écrivez à l’adresse qu’il donne (une réponse à cette lettre n’y parviendrait pas); pour que le site vous l’envoie et le garde, donnez sa référence à la personne qui exploite le site. Sinon, ne faites rien : le site l’efface à la date indiquée.
A field that visitors do not see was filled in, often by a robot, sometimes by a password manager. Do not click any links. If a message is genuine, write to the address it gives (a reply to this letter would not reach the sender); to have the site email and keep it, give its reference to whoever operates the site. Otherwise do nothing: the site erases it on the date shown.

Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : ${inBoth(({ services }) => services.francophone)}
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Sera effacé du site le / Will be erased from the site on : 2026-06-02
Référence / Reference : RG-A
> a
> b
> c

EN ATTENTE D’ENVOI / WAITING TO BE EMAILED : 40
Le plus ancien attend depuis le 2026-05-01 08:15 (heure de Toronto). Le site continue d’essayer. Si c’était déjà le cas hier, appelez aujourd’hui la personne qui exploite le site : elle peut vous les lire.
The oldest has been waiting since 2026-05-01 08:15 (Toronto time). The site keeps trying. If this was already so yesterday, call whoever operates the site today, who can read them to you.

À TRANSMETTRE à la personne qui exploite le site / TO PASS ON to whoever operates the site
Erreurs du site dans le navigateur de visiteurs depuis la dernière lettre : 5. Le journal du site les décrit.
Errors of the site in visitors’ browsers since the last letter: 5. The site’s log describes them.

${MAILED}
Cette lettre contient des renseignements personnels : effacez-la quand tout est réglé, au plus tard à la première date d’effacement.
This letter contains personal information: delete it once everything has been dealt with, at the latest on the first erasure date.

${ABSENCE}`)
})

test('the letter quotes ten messages of each kind, and counts the others', () => {
  const quoted = Array.from({ length: 10 }, (_, n) => ({ ...spam, message: `text ${n}` }))
  const { text } = writeDaily({ quarantined: { count: 12, quoted } })
  expect(text).toContain('TO CHECK, possible spam : 12\n')
  expect(text).toContain('\n> text 9\n\nAutres, non énumérés ici / Others, not listed here : 2\n\n')
})

test.each<[Partial<LetterFacts>, news: string]>([
  [{ waiting }, 'Messages : 40 en attente d’envoi / Messages: 40 waiting to be emailed'],
  [{ quarantined: reported(spam) }, 'Messages : 1 à vérifier / Messages: 1 to check'],
])('“nothing to do” only when nothing waits: %#', (change, news) => {
  const { subject, text } = writeDaily(change)
  expect(subject.replaceAll('\u00a0', ' ')).toBe(`${news} (2026-05-04)`)
  expect(text).not.toMatch(/Rien à faire|Nothing to do/)
})

test.each<[Partial<LetterFacts>, Partial<Conditions>, RegExp, RegExp]>([
  [{}, { isBackupMissing: true }, /^La sauvegarde .* manque/m, /^Last night’s backup is missing/m],
  [{}, { diskPercent: 93 }, /^Un disque est plein à 93 %/m, /^A disk is 93% full/m],
  [{}, { placeholders: 4 }, /exemples : 4\./, /examples: 4\./],
  [
    {
      errors: ['services', '/api/contact', 'c', 'browsers', 'd', 'e', 'f'].map((place) => ({
        place,
        count: 2,
      })),
    },
    {},
    /erreur .* : services \(2\), \/api\/contact \(2\), c \(2\), d \(2\), e \(2\), …\. Le/,
    /answered with an error since the last letter: services \(2\), .*, …\. The/,
  ],
])(
  'the letter passes on what is wrong with the site, in both languages: %j %j',
  (facts, change, ...texts) => {
    const { subject, text } = writeDaily(facts, { ...WELL, ...change })
    expect(subject).toBe('Points à transmettre / Points to pass on (2026-05-04)')
    for (const words of texts) expect(text).toMatch(words)
    expect(text).not.toMatch(/Rien à faire|Nothing to do|undefined/)
  },
)

const folder = createFolder()

test('the site knows when a backup is missing, a disk is full, or facts are placeholders', () => {
  const config = loadConfig({ DATABASE_URL: `sqlite:${folder}/inbox.sqlite`, BACKUP_DIR: folder })
  expect(findConditions(config, NOON)).toMatchObject({ isBackupMissing: true, placeholders: 0 })
  writeFileSync(getBackupPath({ folder, kind: 'sqlite' }, NOON), '')
  expect(findConditions(config, NOON, () => 91)).toEqual({ ...WELL, diskPercent: 91 })
  expect(findConditions(config, NOON, () => 90)).toEqual(WELL)
  const bare = loadConfig({ DATABASE_URL: 'postgres://a@b/c', PUBLIC_URL: 'https://www.site.ca' })
  const { length } = findPlaceholders(company)
  expect(findConditions(bare, NOON, () => 91)).toEqual({ ...WELL, placeholders: length })
})
