import { LINE_BREAKS } from '../../shared/contact-schema.ts'
import type { RetentionPeriods } from '../../shared/retention.ts'
import { DIGEST_HOUR, formatMoment, toLocal } from '../inbox/clock.ts'
import type { Digest, Message, PendingMessages } from '../inbox/inbox.ts'
import { describeMessage, type Letter } from './message-letter.ts'

const TO_CHECK = [
  'À VÉRIFIER, pourriels possibles / TO CHECK, possible spam',
  'Un champ que les visiteurs ne voient pas a été rempli, souvent par un robot, parfois par un gestionnaire de mots de passe. Ne cliquez sur aucun lien. Si un message est authentique, écrivez à l’adresse qu’il donne (une réponse à cette lettre n’y parviendrait pas); pour que le site le garde, donnez sa référence à la personne qui exploite le site. Sinon, ne faites rien\u00a0: le site l’efface à la date indiquée.',
  'A field that visitors do not see was filled in, often by a robot, sometimes by a password manager. Do not click any links. If a message is genuine, write to the address it gives (a reply to this letter would not reach the sender); to have the site keep it, give its reference to whoever operates the site. Otherwise do nothing: the site erases it on the date shown.',
]
const STILL_TO_CHECK = [
  'DÉJÀ SIGNALÉS, pourriels possibles / ALREADY REPORTED, possible spam',
  'Si vous ne faites rien, le site efface chacun à la date indiquée. Pour relire un message, ou pour que le site le garde, donnez sa référence à la personne qui exploite le site.',
  'If you do nothing, the site erases each on the date shown. To read one again, or to have the site keep it, give its reference to whoever operates the site.',
]
const TO_ANSWER = [
  'Si ce n’est pas encore fait, écrivez aujourd’hui à la personne (une réponse à cette lettre ne lui parviendrait pas). Ensuite, donnez la référence à la personne qui exploite le site\u00a0: elle retire le message de cette lettre. Elle peut aussi vous le lire. D’ici là, le site tente chaque jour de vous l’envoyer.',
  'If you have not yet, write to the person today (a reply to this letter would not reach them). Then give the reference to whoever operates the site, who will remove the message from this letter, and can also read it to you. Until then, the site tries each day to email it to you.',
]
const GIVEN_UP = [
  'NON ENVOYÉS malgré de nombreuses tentatives / NOT EMAILED despite many tries',
  ...TO_ANSWER,
]
const STILL_GIVEN_UP = ['DÉJÀ SIGNALÉS, non envoyés / ALREADY REPORTED, not emailed', ...TO_ANSWER]

const WITHOUT_TEXT = [
  'Les suivants, sans leur texte, que la personne qui exploite le site peut vous lire\u00a0:',
  'The next ones, without their texts, which whoever operates the site can read to you:',
]
const NOT_LISTED = 'Autres, non énumérés ici / Others, not listed here'

/** Maximum number of new messages of each kind that a letter quotes. */
const MAX_QUOTED = 10

/** Quotes each line of the visitor's text, so that no line of it looks like a line of the letter. */
function quoteMessage(message: Message, periods: RetentionPeriods): string[] {
  const about = describeMessage(message, periods)
  const text = message.message.toWellFormed().split(LINE_BREAKS)
  return [
    '',
    about.name,
    about.email,
    ...about.more,
    about.sector,
    about.receivedAt,
    `Sera effacé du site le / Will be erased from the site on\u00a0: ${about.erasureDate}`,
    about.reference,
    ...text.map((line) => `> ${line}`),
  ]
}

const when = (isShown: boolean, ...lines: string[]) => (isShown ? lines : [])
const paragraph = (isShown: boolean, ...lines: string[]) => when(isShown, ...lines, '')

/** The news in each language, the most urgent first. */
function findNews({ fresh, reported, unsent }: Digest): [string, string] {
  const owed = fresh.dead.count + reported.dead.count
  const since = toLocal(unsent.oldestAt).toPlainDate()
  const news: [number: number, french: [one: string, many: string], english: [string, string]][] = [
    [
      owed,
      ['message n’a pas pu vous être envoyé', 'messages n’ont pas pu vous être envoyés'],
      ['message could not be emailed to you', 'messages could not be emailed to you'],
    ],
    [
      unsent.count,
      [
        `message en attente d’envoi depuis le ${since}`,
        `messages en attente d’envoi depuis le ${since}`,
      ],
      [
        `message waiting to be emailed since ${since}`,
        `messages waiting to be emailed since ${since}`,
      ],
    ],
    [
      fresh.quarantined.count,
      ['nouveau message à vérifier', 'nouveaux messages à vérifier'],
      ['new message to check', 'new messages to check'],
    ],
  ]
  const present = news.filter(([number]) => number > 0)
  if (present.length === 0) {
    return reported.quarantined.count > 0
      ? ['Rien de nouveau à vérifier', 'Nothing new to check']
      : ['Rien à vérifier', 'Nothing to check']
  }
  const list = (language: 1 | 2) =>
    present.map((row) => `${row[0]} ${row[language][row[0] === 1 ? 0 : 1]}`).join(', ')
  return [list(1), list(2)]
}

function formatUnsent(date: string, { unsent, mailPerHour }: Digest): string[] {
  const { count, held, oldestAt } = unsent
  const moment = formatMoment(oldestAt)
  const { days } = Temporal.PlainDate.from(date).since(toLocal(oldestAt).toPlainDate())
  const advice =
    days > 1
      ? [
          'Appelez aujourd’hui la personne qui exploite le site\u00a0: elle peut vous les lire.',
          'Today, call whoever operates the site, who can read them to you.',
        ]
      : [
          'Si cela dure plus d’un jour, appelez la personne qui exploite le site.',
          'If that lasts more than a day, call whoever operates the site.',
        ]
  const notAccepted = count - held
  return paragraph(
    count > 0,
    `EN ATTENTE D’ENVOI / WAITING TO BE EMAILED\u00a0: ${count}`,
    `Le plus ancien attend depuis le ${moment} (heure de Toronto).`,
    `The oldest has been waiting since ${moment} (Toronto time).`,
    ...when(
      held > 0,
      `Attendent leur tour, à ${mailPerHour} messages par heure au plus\u00a0: ${held}. Ils partiront d’eux-mêmes. Si ce nombre vous étonne, ce sont peut-être des robots\u00a0: appelez la personne qui exploite le site.`,
      `Waiting their turn, at no more than ${mailPerHour} messages an hour: ${held}. They will go out on their own. If that number surprises you, robots may be at work: call whoever operates the site.`,
    ),
    ...when(
      notAccepted > 0,
      `Pas encore acceptés par votre serveur de courriel\u00a0: ${notAccepted}. Ils restent sur le site, qui continue d’essayer. ${advice[0]}`,
      `Not yet accepted by your mail server: ${notAccepted}. They stay on the site, which keeps trying. ${advice[1]}`,
    ),
  )
}

function formatEnd(count: number): string[] {
  const heure = `${DIGEST_HOUR}\u00a0h`
  const hour = `${DIGEST_HOUR % 12 || 12} ${DIGEST_HOUR < 12 ? 'a.m.' : 'p.m.'}`
  return [
    `Messages qui vous ont été envoyés depuis la dernière lettre\u00a0: ${count}.${count > 0 ? ' S’il vous en manque, regardez dans les pourriels, puis appelez la personne qui exploite le site. Le site ne sait pas si vous y avez répondu.' : ''}`,
    `Messages emailed to you since the last letter: ${count}.${count > 0 ? ' If any are missing, look in your spam folder, then call whoever operates the site. The site does not know whether you have replied.' : ''}`,
    `Cette lettre arrive chaque matin vers ${heure}, même quand il n’y a rien à signaler, pour que son absence vous avertisse\u00a0: si elle n’est ni dans votre boîte ni dans les pourriels, quelque chose est en panne; appelez le jour même la personne qui exploite le site.`,
    `This letter comes each morning at about ${hour}, even when there is nothing to report, so that you notice if it stops: if it is neither in your mailbox nor in your spam folder, something is down; call whoever operates the site the same day.`,
    '',
  ]
}

/** The daily letter for a date (YYYY-MM-DD). If it was refused, it shows nothing that a visitor typed. */
export function composeDigest(date: string, digest: Digest, periods: RetentionPeriods): Letter {
  const { fresh, reported, mailed, wasRefused } = digest
  const isEmpty = [fresh, reported].every(
    ({ dead, quarantined }) => dead.count + quarantined.count === 0,
  )
  const [french, english] = findNews(digest)

  function summarize(message: Message): string[] {
    const { erasureDate, label } = describeMessage(message, periods)
    const line = `${message.reference}, sera effacé le / will be erased on ${erasureDate}`
    return [wasRefused ? line : `${line}, ${label}`]
  }
  /** Quotes the oldest `maxQuoted` messages, and has a line for each other. */
  function formatList(
    [title, ...advice]: string[],
    { count, oldest }: PendingMessages,
    maxQuoted: number,
  ): string[] {
    const quoted = oldest.slice(0, wasRefused ? 0 : maxQuoted)
    const others = oldest.slice(quoted.length)
    return paragraph(
      count > 0,
      `${title}\u00a0: ${count}`,
      ...advice,
      ...quoted.flatMap((message) => quoteMessage(message, periods)),
      ...when(quoted.length > 0 && others.length > 0, '', ...WITHOUT_TEXT),
      ...others.flatMap(summarize),
      ...when(count > oldest.length, `${NOT_LISTED}\u00a0: ${count - oldest.length}`),
    )
  }

  const text = [
    `${french}.`,
    `${english}.`,
    '',
    ...paragraph(
      wasRefused && !isEmpty,
      'Votre serveur de courriel a refusé la lettre qui montrait les messages; ils restent sur le site. Demandez aujourd’hui à la personne qui exploite le site de vous lire les noms, les adresses et les textes.',
      'Your mail server refused the letter that showed the messages; they stay on the site. Today, ask whoever operates the site to read you the names, addresses and texts.',
    ),
    ...formatList(GIVEN_UP, fresh.dead, MAX_QUOTED),
    ...formatList(TO_CHECK, fresh.quarantined, MAX_QUOTED),
    ...formatList(STILL_GIVEN_UP, reported.dead, 0),
    ...formatList(STILL_TO_CHECK, reported.quarantined, 0),
    ...formatUnsent(date, digest),
    ...paragraph(
      !isEmpty && !wasRefused,
      'Cette lettre contient des renseignements personnels\u00a0: effacez-la quand tout est réglé, au plus tard à la première date d’effacement.',
      'This letter contains personal information: delete it once everything has been dealt with, at the latest on the first erasure date.',
    ),
    ...formatEnd(mailed),
  ]
  return {
    id: `digest-${date}`,
    subject: `${french} / ${english} (${date})`,
    text: text.join('\n'),
  }
}
