import { LINE_BREAKS } from '../../shared/contact-schema.ts'
import type { RetentionPeriods } from '../../shared/retention.ts'
import { formatMoment, LETTER_HOUR } from '../inbox/clock.ts'
import type { LetterFacts } from '../inbox/letter-facts.ts'
import { BROWSERS } from '../inbox/measure.ts'
import type { Message } from '../inbox/message.ts'
import type { Conditions } from './conditions.ts'
import { describeMessage, type OutgoingMail } from './message-mail.ts'

const GIVEN_UP = [
  'NON ENVOYÉS malgré cinq jours de tentatives / NOT EMAILED despite five days of tries',
  'Écrivez aujourd’hui à la personne, à l’adresse indiquée (une réponse à cette lettre ne lui parviendrait pas), puis appelez la personne qui exploite le site. D’ici là, le site tente chaque jour de vous envoyer le message.',
  'Write to the person today, at the address shown (a reply to this letter would not reach them), then call whoever operates the site. Until then, the site tries each day to email the message to you.',
]
const TO_CHECK = [
  'À VÉRIFIER, pourriels possibles / TO CHECK, possible spam',
  'Un champ que les visiteurs ne voient pas a été rempli, souvent par un robot, parfois par un gestionnaire de mots de passe. Ne cliquez sur aucun lien. Si un message est authentique, écrivez à l’adresse qu’il donne (une réponse à cette lettre n’y parviendrait pas); pour que le site vous l’envoie et le garde, donnez sa référence à la personne qui exploite le site. Sinon, ne faites rien\u00a0: le site l’efface à la date indiquée.',
  'A field that visitors do not see was filled in, often by a robot, sometimes by a password manager. Do not click any links. If a message is genuine, write to the address it gives (a reply to this letter would not reach the sender); to have the site email and keep it, give its reference to whoever operates the site. Otherwise do nothing: the site erases it on the date shown.',
]

/** A mail server may refuse the letter for the spam that it quotes, so after these failed tries it goes without texts. */
const TRIES_WITH_TEXTS = 3

/** Routes that the letter names. */
const MAX_PLACES = 5

const when = (isShown: boolean, ...lines: string[]) => (isShown ? [...lines, ''] : [])

/** Quotes each line of the visitor's text, so that no line of it looks like a line of the letter. */
function quote(message: Message, periods: RetentionPeriods): string[] {
  const about = describeMessage(message, periods)
  const text = message.message.toWellFormed().split(LINE_BREAKS)
  return [
    '',
    about.name,
    about.email,
    about.sector,
    about.receivedAt,
    `Sera effacé du site le / Will be erased from the site on\u00a0: ${about.erasureDate}`,
    about.reference,
    ...text.map((line) => `> ${line}`),
  ]
}

/** Lines for whoever operates the site, in French and in English. */
function findNotices({ errors }: LetterFacts, conditions: Conditions): string[] {
  const { isBackupMissing, diskPercent, placeholders } = conditions
  const ofBrowsers = errors.find(({ place }) => place === BROWSERS)?.count
  const ofServer = errors.filter(({ place }) => place !== BROWSERS)
  const places = ofServer.map(({ place, count }) => `${place} (${count})`)
  const named = [...places.slice(0, MAX_PLACES), ...(places[MAX_PLACES] ? ['…'] : [])].join(', ')
  const notices: [unknown, string, string][] = [
    [
      isBackupMissing,
      'La sauvegarde de la nuit manque. Le journal du site dit pourquoi.',
      'Last night’s backup is missing. The site’s log says why.',
    ],
    [
      diskPercent,
      `Un disque est plein à ${diskPercent}\u00a0%. Une fois plein, le site ne reçoit plus de messages.`,
      `A disk is ${diskPercent}% full. Once it is full, the site takes no more messages.`,
    ],
    [
      ofServer.length,
      `Pages ou appels auxquels le serveur a répondu par une erreur depuis la dernière lettre\u00a0: ${named}. Le journal du site les décrit.`,
      `Pages or calls that the server answered with an error since the last letter: ${named}. The site’s log describes them.`,
    ],
    [
      ofBrowsers,
      `Erreurs du site dans le navigateur de visiteurs depuis la dernière lettre\u00a0: ${ofBrowsers}. Le journal du site les décrit.`,
      `Errors of the site in visitors’ browsers since the last letter: ${ofBrowsers}. The site’s log describes them.`,
    ],
    [
      placeholders,
      `Renseignements sur l’entreprise qui sont encore des exemples\u00a0: ${placeholders}. Le site les montre aux visiteurs.`,
      `Facts about the firm that are still examples: ${placeholders}. The site shows them to visitors.`,
    ],
  ]
  return notices.flatMap(([isShown, french, english]) => (isShown ? [french, english] : []))
}

/** The news in French and in English, the most urgent first. */
function findNews({ givenUp, waiting, quarantined }: LetterFacts, hasNotices: boolean) {
  const news = [
    [givenUp.count, 'à traiter aujourd’hui, non envoyés', 'to deal with today, not emailed'],
    [waiting.count, 'en attente d’envoi', 'waiting to be emailed'],
    [quarantined.count, 'à vérifier', 'to check'],
  ].filter(([count]) => count !== 0)
  const list = (words: 1 | 2) => news.map((row) => `${row[0]} ${row[words]}`).join(', ')
  const say = (messages: string, notices: string, nothing: string) =>
    [news.length > 0 && messages, hasNotices && notices].filter(Boolean).join('. ') || nothing
  return [
    say(`Messages\u00a0: ${list(1)}`, 'Points à transmettre', 'Rien à faire'),
    say(`Messages: ${list(2)}`, 'Points to pass on', 'Nothing to do'),
  ] as const
}

/** `failures` is the number of tries in which the mail server did not accept this letter. */
export function composeDailyLetter(
  facts: LetterFacts,
  conditions: Conditions,
  periods: RetentionPeriods,
  failures: number,
): OutgoingMail {
  const { date, givenUp, quarantined, waiting, mailed } = facts
  const notices = findNotices(facts, conditions)
  const [french, english] = findNews(facts, notices.length > 0)
  const hasMessages = givenUp.count + quarantined.count > 0
  const isQuoting = failures < TRIES_WITH_TEXTS

  const list = ([title, ...advice]: string[], { count, quoted }: LetterFacts['givenUp']) => {
    const others = count - quoted.length
    const more = `Autres, non énumérés ici / Others, not listed here\u00a0: ${others}`
    return when(
      count > 0,
      `${title}\u00a0: ${count}`,
      ...advice,
      ...quoted.flatMap((each) => (isQuoting ? quote(each, periods) : each.reference)),
      ...(others > 0 ? ['', more] : []),
    )
  }

  const text = [
    `${french}.`,
    `${english}.`,
    '',
    ...when(
      hasMessages && !isQuoting,
      'Votre serveur de courriel a refusé la lettre qui montrait les messages. Demandez aujourd’hui à la personne qui exploite le site de vous lire les noms, les adresses et les textes.',
      'Your mail server refused the letter that showed the messages. Today, ask whoever operates the site to read you the names, addresses and texts.',
    ),
    ...list(GIVEN_UP, givenUp),
    ...list(TO_CHECK, quarantined),
    ...when(
      waiting.count > 0,
      `EN ATTENTE D’ENVOI / WAITING TO BE EMAILED\u00a0: ${waiting.count}`,
      `Le plus ancien attend depuis le ${formatMoment(waiting.since)} (heure de Toronto). Le site continue d’essayer. Si c’était déjà le cas hier, appelez aujourd’hui la personne qui exploite le site\u00a0: elle peut vous les lire.`,
      `The oldest has been waiting since ${formatMoment(waiting.since)} (Toronto time). The site keeps trying. If this was already so yesterday, call whoever operates the site today, who can read them to you.`,
    ),
    ...when(
      notices.length > 0,
      'À TRANSMETTRE à la personne qui exploite le site / TO PASS ON to whoever operates the site',
      ...notices,
    ),
    `Messages qui vous ont été envoyés depuis la dernière lettre\u00a0: ${mailed}. S’il vous en manque, regardez dans les pourriels, puis appelez la personne qui exploite le site.`,
    `Messages emailed to you since the last letter: ${mailed}. If any are missing, look in your spam folder, then call whoever operates the site.`,
    '',
    ...when(
      hasMessages && isQuoting,
      'Cette lettre contient des renseignements personnels\u00a0: effacez-la quand tout est réglé, au plus tard à la première date d’effacement.',
      'This letter contains personal information: delete it once everything has been dealt with, at the latest on the first erasure date.',
    ),
    `Cette lettre arrive chaque matin vers ${LETTER_HOUR}\u00a0h, même quand il n’y a rien à signaler. Si elle n’est ni dans votre boîte ni dans les pourriels, quelque chose est en panne\u00a0: appelez le jour même la personne qui exploite le site.`,
    `This letter comes each morning at about ${LETTER_HOUR} a.m., even when there is nothing to report. If it is neither in your mailbox nor in your spam folder, something is down: call whoever operates the site the same day.`,
    '',
  ]
  return {
    id: `letter-${date}`,
    subject: `${french} / ${english} (${date})`,
    text: text.join('\n'),
    isAutomatic: true,
  }
}
