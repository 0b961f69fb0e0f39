import type { RetentionPeriods } from '../../shared/page-state.ts'
import { formatMoment } from '../inbox/clock.ts'
import type { Digest, Message, Pending, Waiting } from '../inbox/inbox.ts'
import { describeMessage, type Letter } from './message-letter.ts'

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

function explainTraps(trapped: readonly string[]): string {
  const [french, english] =
    trapped.length > 1
      ? ['des champs que seuls les robots voient ont été remplis', 'fields that only bots see were']
      : ['un champ que seuls les robots voient a été rempli', 'a field that only bots see was']
  const names = `(${trapped.join(', ')})`
  return `Mis à part / Set aside\u00a0: ${french} ${names} / ${english} filled in ${names}`
}

/** Quotes each line of the visitor's text, so that the text cannot imitate a line of the letter. */
function formatMessage(message: Message, periods?: RetentionPeriods): string[] {
  const about = describeMessage(message, periods)
  const text = message.message.toWellFormed().split(LINE_BREAK)
  return [
    about.name,
    about.email,
    about.sector,
    about.receivedAt,
    ...(message.status === 'quarantined' ? [explainTraps(message.trapped)] : []),
    `Effacé du site le / Erased from the site on\u00a0: ${about.erasureDate}`,
    about.reference,
    ...text.map((line) => `> ${line}`),
    '',
  ]
}

const paragraph = (isShown: boolean, ...lines: string[]) => (isShown ? [...lines, ''] : [])

/** Without the texts of messages, it lists only references and times, and the advice about the texts goes too. */
function formatList(
  title: string,
  advice: string[],
  { messages, newCount }: Pending,
  count: number,
  hasTexts: boolean,
  periods?: RetentionPeriods,
): string[] {
  if (count === 0) return []
  const older = count - messages.length
  const list = hasTexts
    ? messages.flatMap((message, index) => [
        ...(index < newCount ? ['NOUVEAU / NEW'] : []),
        ...formatMessage(message, periods),
      ])
    : messages.map(
        ({ reference, receivedAt }) => `${reference}, reçu / received ${formatMoment(receivedAt)}`,
      )
  return [
    `${title}\u00a0: ${count} (nouveaux / new\u00a0: ${newCount})`,
    ...paragraph(hasTexts, ...advice),
    ...list,
    ...paragraph(!hasTexts),
    ...paragraph(
      older > 0,
      `Plus anciens, non repris ici / Older ones, not shown here\u00a0: ${older}`,
    ),
  ]
}

function formatQueue({ counts, oldestDueAt, held, mailPerHour }: Waiting): string[] {
  if (counts.new === 0 || oldestDueAt === undefined) return []
  const next = formatMoment(oldestDueAt)
  const heldLines = [
    `Dont retenus, car le site envoie au plus ${mailPerHour} courriels par heure\u00a0: ${held}`,
    `Of these held back, because the site sends at most ${mailPerHour} emails an hour: ${held}`,
  ]
  return [
    `En attente d’envoi / Waiting to be sent\u00a0: ${counts.new}, prochain essai / next attempt ${next}`,
    ...(held > 0 ? heldLines : []),
    '',
  ]
}

function formatSubject(date: string, count: number, newCount: number): string {
  if (newCount === 0) {
    const rest = count > 0 ? ` (${count} encore à vérifier / ${count} still to check)` : ''
    return `Rien de nouveau / Nothing new – ${date}${rest}`
  }
  const [french, english] =
    newCount > 1 ? ['nouveaux messages', 'new messages'] : ['nouveau message', 'new message']
  const all = count > newCount ? ` (${count} en tout / ${count} in all)` : ''
  return `${newCount} ${french} à vérifier / ${newCount} ${english} to check – ${date}${all}`
}

/** The daily letter for a date (YYYY-MM-DD). */
export function composeDigest(date: string, digest: Digest, periods?: RetentionPeriods): Letter {
  const { quarantined, dead, counts, wasRefused } = digest
  const count = counts.quarantined + counts.dead
  const newCount = quarantined.newCount + dead.newCount
  const text = [
    ...paragraph(
      count === 0,
      `Rien de nouveau ce matin, le ${date} (heure de Toronto). Rien à faire.`,
      `Nothing new this morning, ${date} (Toronto time). Nothing to do.`,
    ),
    ...paragraph(
      count > 0,
      `Ce qui vous attend ce matin, le ${date} (heure de Toronto)`,
      `What is waiting for you this morning, ${date} (Toronto time)`,
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
      [
        'Si un message est authentique, écrivez à l’adresse qu’il donne\u00a0: une réponse à cette lettre ne lui parviendrait pas. Sinon, ne faites rien\u00a0: le site l’efface à la date indiquée.',
        'If a message is genuine, write to the address it gives: a reply to this letter would not reach it. Otherwise do nothing: the site erases it on the date shown.',
      ],
      quarantined,
      counts.quarantined,
      !wasRefused,
      periods,
    ),
    ...formatList(
      'NON TRANSMIS malgré de nombreux essais / NOT DELIVERED despite many tries',
      [
        'Écrivez à cette personne à l’adresse indiquée; le site essaie de nouveau chaque jour.',
        'Write to this person at the address shown; the site tries again each day.',
      ],
      dead,
      counts.dead,
      !wasRefused,
      periods,
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
