import type { RetentionPeriods } from '../../shared/page-state.ts'
import type { Digest, Message, Waiting } from '../inbox/inbox.ts'
import { describeMessage, formatMoment, type Letter } from './message-letter.ts'

interface LetterOptions {
  periods?: RetentionPeriods
  /** If false, the letter lists only references and times. */
  hasTexts: boolean
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Quotes each line of the visitor's text, so that the text cannot imitate a line of the letter. */
function formatMessage(message: Message, { periods, hasTexts }: LetterOptions): string[] {
  if (!hasTexts) {
    return [`${message.reference}, reçu / received ${formatMoment(message.receivedAt)}`]
  }
  const lines = message.message.toWellFormed().split(LINE_BREAK)
  return [...describeMessage(message, periods), ...lines.map((line) => `> ${line}`), '']
}

function formatList(
  title: string,
  advice: string,
  { messages, count }: { messages: Message[]; count: number },
  options: LetterOptions,
): string[] {
  if (count === 0) return []
  const lines = messages.flatMap((message) => formatMessage(message, options))
  const older = count - messages.length
  if (older > 0) {
    lines.push(`Plus anciens, non repris ici / Older ones, not shown here\u00a0: ${older}`)
  }
  if (older > 0 || !options.hasTexts) lines.push('')
  return [`${title}\u00a0: ${count}`, advice, '', ...lines]
}

function formatQueue({ counts, oldestDueAt, held, mailPerHour }: Waiting): string[] {
  if (counts.new === 0 || oldestDueAt === undefined) return []
  const next = formatMoment(new Date(oldestDueAt).toISOString())
  const lines = [
    `En attente d’envoi / Waiting to be sent\u00a0: ${counts.new}, prochain essai / next attempt ${next}`,
  ]
  if (held > 0) {
    lines.push(
      `Dont retenus, car le site envoie au plus ${mailPerHour} courriels par heure\u00a0: ${held}`,
      `Of these held back, because the site sends at most ${mailPerHour} emails an hour: ${held}`,
    )
  }
  return [...lines, '']
}

/** The daily letter for a date (YYYY-MM-DD). */
export function composeDigest(date: string, digest: Digest, periods?: RetentionPeriods): Letter {
  const { quarantined, dead, counts, wasRefused } = digest
  const options = { periods, hasTexts: !wasRefused }
  const toSee = counts.quarantined + counts.dead
  const state = toSee > 0 ? `${toSee} à voir / ${toSee} to see` : 'rien à faire / nothing to do'
  const text = [
    `Messages du site du ${date}, heure de Toronto / Website messages of ${date}, Toronto time`,
    '',
    ...(wasRefused
      ? [
          'Votre serveur de courriel a refusé les textes des messages; ils restent sur le site. / Your mail server refused the texts of the messages; they stay on the site.',
          '',
        ]
      : []),
    ...(toSee === 0 ? ['Rien à faire aujourd’hui. / Nothing to do today.', ''] : []),
    ...formatList(
      'Mis à part comme pourriels possibles, à vérifier / Set aside as possible spam, to be checked',
      'Si un message est authentique, écrivez à cette personne. / If a message is genuine, write to this person.',
      { messages: quarantined, count: counts.quarantined },
      options,
    ),
    ...formatList(
      'Non transmis par courriel après de nombreux essais / Not delivered to you after many tries',
      'Le site essaie de nouveau chaque jour; vous pouvez déjà écrire à cette personne. / The site tries again each day; you can already write to this person.',
      { messages: dead, count: counts.dead },
      options,
    ),
    ...formatQueue(digest),
  ]
  return {
    id: `digest-${date}`,
    subject: `Messages du site / Website messages ${date}\u00a0: ${state}`,
    text: text.join('\n'),
  }
}
