import { LINE_BREAKS } from '../../shared/contact.ts'
import type { RetentionPeriods } from '../../shared/retention.ts'
import { DIGEST_HOUR, formatMoment, toLocal } from '../inbox/clock.ts'
import type { Digest, Message } from '../inbox/inbox.ts'
import { describeMessage, type Letter } from './message-letter.ts'

const TO_CHECK = [
  'À VÉRIFIER, pourriels possibles / TO CHECK, possible spam',
  'Un champ que les visiteurs ne voient pas a été rempli, souvent par un robot, parfois par un gestionnaire de mots de passe. Si un message est authentique, écrivez à l’adresse qu’il donne (une réponse à cette lettre n’y parviendrait pas); pour que le site le garde, donnez sa référence à la personne qui exploite le site. Sinon, ne faites rien\u00a0: le site l’efface à la date indiquée.',
  'A field that visitors do not see was filled in, often by a robot, sometimes by a password manager. If a message is genuine, write to the address it gives (a reply to this letter would not reach it); to have the site keep it, give its reference to whoever operates the site. Otherwise do nothing: the site erases it on the date shown.',
]
const CHECKED = [
  'DÉJÀ SIGNALÉS, pourriels possibles / ALREADY REPORTED, possible spam',
  'Si vous ne faites rien, le site les efface à la date indiquée. Pour qu’il en garde un, donnez sa référence à la personne qui exploite le site.',
  'If you do nothing, the site erases them on the date shown. To have it keep one, give its reference to whoever operates the site.',
]
const TO_ANSWER = [
  'Écrivez à la personne, à l’adresse de son message. Quand c’est fait, donnez la référence à la personne qui exploite le site, qui retire le message de cette lettre; d’ici là, le site essaie chaque jour de vous l’envoyer.',
  'Write to the person, at the address in the message. Once you have, give the reference to whoever operates the site, who takes the message off this letter; until then, the site tries each day to mail it to you.',
]
const GIVEN_UP = [
  'NON ENVOYÉS malgré de nombreux essais / NOT MAILED despite many tries',
  ...TO_ANSWER,
]
const STILL_GIVEN_UP = ['DÉJÀ SIGNALÉS, non envoyés / ALREADY REPORTED, not mailed', ...TO_ANSWER]

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
    `Effacé du site le / Erased from the site on\u00a0: ${about.erasureDate}`,
    about.reference,
    ...text.map((line) => `> ${line}`),
  ]
}

const when = (isShown: boolean, ...lines: string[]) => (isShown ? lines : [])
const paragraph = (isShown: boolean, ...lines: string[]) => when(isShown, ...lines, '')

/** What waits for the owner herself; `owed` messages are those that an earlier letter asked her to answer. */
function findNews(newCount: number, owed: number, hasOthers: boolean): [string, string] {
  if (newCount === 1) return ['1 nouveau message à vérifier', '1 new message to check']
  if (newCount > 1)
    return [`${newCount} nouveaux messages à vérifier`, `${newCount} new messages to check`]
  if (owed === 1) return ['1 message attend votre réponse', '1 message awaits your reply']
  if (owed > 1)
    return [`${owed} messages attendent votre réponse`, `${owed} messages await your reply`]
  if (hasOthers) return ['Rien de nouveau à vérifier', 'Nothing new to check']
  return ['Rien à vérifier', 'Nothing to check']
}

function formatUnsent(date: string, { unsent, mailPerHour }: Digest): string[] {
  const { count, held, since } = unsent
  const moment = formatMoment(since)
  const { days } = Temporal.PlainDate.from(date).since(toLocal(since).toPlainDate())
  const advice =
    days > 1
      ? [
          'Appelez aujourd’hui la personne qui exploite le site.',
          'Call whoever operates the site today.',
        ]
      : [
          'Si cela dure plus d’un jour, appelez la personne qui exploite le site.',
          'If that lasts more than a day, call whoever operates the site.',
        ]
  const refused = count - held
  return paragraph(
    count > 0,
    `PAS ENCORE ENVOYÉS / NOT MAILED YET\u00a0: ${count}`,
    `Le plus ancien attend depuis le ${moment} (heure de Toronto).`,
    `The oldest has waited since ${moment} (Toronto time).`,
    ...when(
      held > 0,
      `Le site envoie au plus ${mailPerHour} messages par heure; nombre de ceux qui attendent leur tour et partiront d’eux-mêmes\u00a0: ${held}`,
      `The site mails at most ${mailPerHour} messages an hour; number of those that wait for their turn and will leave by themselves: ${held}`,
    ),
    ...when(
      refused > 0,
      `Nombre de ceux que votre serveur de courriel n’a pas encore acceptés\u00a0: ${refused}. Le site continue d’essayer. ${advice[0]}`,
      `Number of those that your mail server has not accepted yet: ${refused}. The site keeps trying. ${advice[1]}`,
    ),
  )
}

function formatEnd(date: string, { count, since }: Digest['mailed']): string[] {
  const [heure, hour] = [`${DIGEST_HOUR}\u00a0h`, `${DIGEST_HOUR}:00`]
  const depuis = since ? `du ${since} à ${heure} au` : 'jusqu’au'
  const from = since ? `from ${since} at ${hour} to` : 'until'
  return [
    `Messages qui vous ont été envoyés ${depuis} ${date} à ${heure}\u00a0: ${count}. S’il vous en manque, regardez dans les pourriels. Le site ne sait pas si vous y avez répondu.`,
    `Messages mailed to you ${from} ${date} at ${hour}: ${count}. If you miss any, look in your spam folder. The site does not know if you have replied.`,
    `Cette lettre vient chaque matin vers ${heure}, même quand il n’y a rien à signaler, pour que son absence vous avertisse\u00a0: si elle n’est ni dans votre boîte ni dans les pourriels, le courriel du site est en panne; appelez la personne qui exploite le site.`,
    `This letter comes each morning at about ${hour}, even when there is nothing to report, so that its absence warns you: if it is neither in your mailbox nor in your spam folder, the site’s mail is down; call whoever operates the site.`,
    '',
  ]
}

/** The daily letter for a date (YYYY-MM-DD). If it was refused, it shows nothing that a visitor typed. */
export function composeDigest(date: string, digest: Digest, periods: RetentionPeriods): Letter {
  const { fresh, unshown, reported, unsent, mailed, wasRefused } = digest
  const newCount = fresh.length + unshown
  const isEmpty = newCount + reported.length === 0
  const owed = reported.filter(({ status }) => status === 'dead').length
  const [french, english] = findNews(newCount, owed, !isEmpty || unsent.count > 0)

  function summarize(message: Message): string[] {
    const { erasureDate, label } = describeMessage(message, periods)
    const line = `${message.reference}, effacé le / erased on ${erasureDate}`
    return [wasRefused ? line : `${line}, ${label}`]
  }
  const show = (message: Message) =>
    wasRefused ? summarize(message) : quoteMessage(message, periods)

  function formatList(
    [title, ...advice]: string[],
    messages: Message[],
    status: Message['status'],
    format: (message: Message) => string[],
  ): string[] {
    const listed = messages.filter((message) => message.status === status)
    return paragraph(
      listed.length > 0,
      `${title}\u00a0: ${listed.length}`,
      ...advice,
      ...listed.flatMap(format),
    )
  }

  const text = [
    `${french} ce matin, le ${date}.`,
    `${english} this morning, ${date}.`,
    '',
    ...paragraph(
      wasRefused && !isEmpty,
      'Votre serveur de courriel a refusé les textes des messages; ils restent sur le site. Demandez à la personne qui exploite le site de vous les lire.',
      'Your mail server refused the texts of the messages; they stay on the site. Ask whoever operates the site to read them to you.',
    ),
    ...formatList(TO_CHECK, fresh, 'quarantined', show),
    ...formatList(GIVEN_UP, fresh, 'dead', show),
    ...paragraph(
      unshown > 0,
      `Plus récents, non repris ici\u00a0: ${unshown}. Les prochaines lettres les montrent; d’ici là, la personne qui exploite le site peut vous les lire.`,
      `Newer ones, not shown here: ${unshown}. The next letters show them; until then, whoever operates the site can read them to you.`,
    ),
    ...formatList(STILL_GIVEN_UP, reported, 'dead', summarize),
    ...formatList(CHECKED, reported, 'quarantined', summarize),
    ...formatUnsent(date, digest),
    ...paragraph(
      !isEmpty && !wasRefused,
      'Cette lettre contient des renseignements personnels\u00a0: effacez-la quand tout est réglé, au plus tard à la première date indiquée.',
      'This letter holds personal information: delete it once all is dealt with, at the latest on the first date shown.',
    ),
    ...formatEnd(date, mailed),
  ]
  const rest = unsent.count > 0 ? ` (non envoyés / not mailed\u00a0: ${unsent.count})` : ''
  return {
    id: `digest-${date}`,
    subject: `${french} / ${english} – ${date}${rest}`,
    text: text.join('\n'),
  }
}
