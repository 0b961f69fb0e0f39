import type { Waiting } from '../inbox/mail-queue.ts'
import { TIME_ZONE } from './local-time.ts'
import { formatDay, formatMoment } from './mail-format.ts'
import type { Letter } from './mailer.ts'

interface Entry {
  reference: string
  receivedAt: string
  erasedAt?: string
}

function listEntries(title: string, entries: Entry[], count: number): string[] {
  if (count === 0) return []
  const lines = entries.map(({ reference, receivedAt, erasedAt }) => {
    const end = erasedAt ? `, effacé le / erased on ${formatDay(erasedAt)}` : ''
    return `  ${reference}  reçu / received ${formatMoment(receivedAt)}${end}`
  })
  const more = count - entries.length
  return [`${title} : ${count}`, ...lines, ...(more > 0 ? [`  … + ${more}`] : []), '']
}

/** The mail of a day (YYYY-MM-DD) that lists what waits: references and times, nothing typed. */
export function composeDigest(date: string, waiting: Waiting): Letter {
  const { quarantined, dead, unread, counts, oldestDueAt, held, mailPerHour } = waiting
  const lists = [
    ...listEntries(
      'En quarantaine, un piège était rempli / In quarantine, a trap was filled',
      quarantined,
      counts.quarantined,
    ),
    ...listEntries('Envoi abandonné / Mailing given up', dead, counts.dead),
    ...listEntries('Jamais ouverts / Never looked at', unread, counts.unread),
  ]
  const due = oldestDueAt && formatMoment(new Date(oldestDueAt).toISOString())
  const text = [
    `Messages du site, ${date} (${TIME_ZONE}) / Website messages, ${date} (${TIME_ZONE})`,
    '',
    ...(held > 0
      ? [
          `En attente, car ${mailPerHour} courriels par heure au plus sont envoyés (MAIL_PER_HOUR) : ${held}`,
          `Waiting, because at most ${mailPerHour} mails an hour are sent (MAIL_PER_HOUR): ${held}`,
          '',
        ]
      : []),
    ...(lists.length > 0 ? lists : ['Rien n’attend. / Nothing waits.', '']),
    ...(due ? [`Prochain envoi prévu / Next mail due : ${due}`, ''] : []),
    'npm run inbox -- show | release | retry | archive REFERENCE',
    '',
  ]
  return {
    id: `digest-${date}`,
    subject: `Messages du site / Website messages ${date}`,
    text: text.join('\n'),
  }
}
