import type { RetentionPeriods } from '../../shared/constants.ts'
import { LINE_BREAKS } from '../../shared/contact.ts'
import { formatMoment } from '../inbox/clock.ts'
import type { Digest, Message, Pending, Waiting } from '../inbox/inbox.ts'
import { describeMessage, type Letter } from './message-letter.ts'

const explainTrap = ({ trapped: [name = '?'] }: Message) =>
  `Mis à part / Set aside\u00a0: un champ caché a été rempli (${name}) / a hidden field was filled in (${name})`

/** Quotes each line of the visitor's text, so that no line of it looks like a line of the letter. */
function quoteMessage(message: Pending['messages'][number], periods: RetentionPeriods): string[] {
  const about = describeMessage(message, periods)
  const text = message.message.toWellFormed().split(LINE_BREAKS)
  return [
    '',
    ...(message.isNew ? ['NOUVEAU / NEW'] : []),
    about.name,
    about.email,
    about.sector,
    about.receivedAt,
    ...(message.status === 'quarantined' ? [explainTrap(message)] : []),
    `Effacé du site le / Erased from the site on\u00a0: ${about.erasureDate}`,
    about.reference,
    ...text.map((line) => `> ${line}`),
  ]
}

const paragraph = (isShown: boolean, ...lines: string[]) => (isShown ? [...lines, ''] : [])

function formatQueue({ counts, nextMailAt, held, mailPerHour }: Waiting): string[] {
  if (nextMailAt === undefined) return []
  const heldLines = [
    `Dont retenus, car le site envoie au plus ${mailPerHour} messages par heure\u00a0: ${held}`,
    `Of these held back, because the site sends at most ${mailPerHour} messages an hour: ${held}`,
  ]
  return [
    `En attente d’envoi / Waiting to be sent\u00a0: ${counts.new}, prochain essai / next attempt ${formatMoment(nextMailAt)}`,
    ...(held > 0 ? heldLines : []),
    '',
  ]
}

function formatSubject(date: string, count: number, newCount: number): string {
  if (newCount === 0) {
    const rest = count > 0 ? ` (${count} en attente / ${count} waiting)` : ''
    return `Rien de nouveau à vérifier / Nothing new to check – ${date}${rest}`
  }
  const [french, english] =
    newCount > 1 ? ['nouveaux messages', 'new messages'] : ['nouveau message', 'new message']
  const all = count > newCount ? ` (${count} en tout / ${count} in all)` : ''
  return `${newCount} ${french} à vérifier / ${newCount} ${english} to check – ${date}${all}`
}

/** The daily letter for a date (YYYY-MM-DD). If it was refused, it names the messages by reference and time only. */
export function composeDigest(date: string, digest: Digest, periods: RetentionPeriods): Letter {
  const { quarantined, dead, wasRefused } = digest
  const count = quarantined.count + dead.count
  const newCount = quarantined.newCount + dead.newCount

  function formatList(title: string, pending: Pending, ...advice: string[]): string[] {
    const older = pending.count - pending.messages.length
    const list = pending.messages.flatMap((message) =>
      wasRefused
        ? [`${message.reference}, reçu / received ${formatMoment(message.receivedAt)}`]
        : quoteMessage(message, periods),
    )
    return paragraph(
      pending.count > 0,
      `${title}\u00a0: ${pending.count} (nouveaux / new\u00a0: ${pending.newCount})`,
      ...(wasRefused ? [] : advice),
      ...list,
      ...(older > 0
        ? ['', `Plus anciens, non repris ici / Older ones, not shown here\u00a0: ${older}`]
        : []),
    )
  }

  const text = [
    ...paragraph(
      count === 0,
      `Rien de nouveau à vérifier ce matin, le ${date} (heure de Toronto). Rien à faire.`,
      `Nothing new to check this morning, ${date} (Toronto time). Nothing to do.`,
    ),
    ...paragraph(
      count > 0,
      `Ce qui vous attend ce matin, le ${date} (heure de Toronto)`,
      `Waiting for you this morning, ${date} (Toronto time)`,
    ),
    ...paragraph(
      count > 0 && newCount === 0,
      'Rien de nouveau; les messages ci-dessous attendent encore. / Nothing new; the messages below are still waiting.',
    ),
    ...paragraph(
      wasRefused,
      'Votre serveur de courriel a refusé les textes des messages; ils restent sur le site. / Your mail server refused the texts of the messages; they stay on the site.',
    ),
    ...formatList(
      'À VÉRIFIER, pourriels possibles / TO CHECK, possible spam',
      quarantined,
      'Si un message est authentique, écrivez à l’adresse qu’il donne\u00a0: une réponse à cette lettre ne lui parviendrait pas. Sinon, ne faites rien\u00a0: le site l’efface à la date indiquée.',
      'If a message is genuine, write to the address it gives: a reply to this letter would not reach it. Otherwise do nothing: the site erases it on the date shown.',
    ),
    ...formatList(
      'NON TRANSMIS malgré de nombreux essais / NOT DELIVERED despite many tries',
      dead,
      'Écrivez à cette personne à l’adresse indiquée; le site essaie de nouveau chaque jour.',
      'Write to this person at the address shown; the site tries again each day.',
    ),
    ...formatQueue(digest),
    ...paragraph(
      count > 0 && !wasRefused,
      'Cette lettre contient des messages\u00a0: effacez-la quand ils sont réglés, au plus tard à la dernière date indiquée.',
      'This letter contains messages: delete it once they are dealt with, at the latest on the last date shown.',
    ),
  ]
  return {
    id: `digest-${date}`,
    subject: formatSubject(date, count, newCount),
    text: text.join('\n'),
  }
}
