import { QUARANTINE_DAYS, RETENTION_DAYS } from '../../shared/constants.ts'
import { en, fr } from '../../shared/content/index.ts'
import type { Content } from '../../shared/content/types.ts'
import type { RetentionPeriods } from '../../shared/page-state.ts'
import { toLocal } from '../inbox/clock.ts'
import type { Message } from '../inbox/inbox.ts'

export interface Letter {
  /** Local part of the Message-ID, the same for each try. */
  id: string
  subject: string
  text: string
  /** As the visitor typed it: not trusted. */
  replyTo?: { name: string; address: string }
}

const LANGUAGES = { fr: 'français / French', en: 'anglais / English' }
const PERIODS: RetentionPeriods = { retentionDays: RETENTION_DAYS, quarantineDays: QUARANTINE_DAYS }

/** A text in French and then in English, but only once if both are equal. */
function inBoth(pick: (content: Content) => string): string {
  return [...new Set([pick(fr), pick(en)])].join(' / ')
}

/** Characters that show nothing. A mail program breaks a line at a run of them, so that the rest could imitate a line. */
const BLANKS =
  /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800\ufffc\u{13441}\u{13442}\u{1d159}]+/gu
/** Names in some scripts, and emoji, need these. They have no width, and no line breaks after them. */
const JOINERS = /^[\p{Join_Control}\p{Variation_Selector}]+$/u

/** Turns a text into one line. Breaks up encoded words, which some mail programs decode where RFC 2047 forbids it. */
export function toLine(text: string): string {
  return text
    .toWellFormed()
    .replace(BLANKS, (run) => (JOINERS.test(run) ? run : ' '))
    .replaceAll('=?', '= ?')
    .trim()
}

/** Formats a time in the firm's time zone, such as 2026-05-04 08:00. */
export function formatMoment(iso: string): string {
  return toLocal(Date.parse(iso))
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ')
}

function formatDay(iso: string): string {
  return toLocal(Date.parse(iso)).toPlainDate().toString()
}

const getName = ({ firstName, lastName }: Message) => toLine(`${firstName} ${lastName}`)

/** Describes a message without its text: one line for each field, with the field's label in both languages. */
export function describeMessage(
  message: Message,
  { retentionDays, quarantineDays }: RetentionPeriods = PERIODS,
): string[] {
  const { receivedAt, status, service, trapped } = message
  const hours = 24 * (status === 'quarantined' ? quarantineDays : retentionDays)
  const erasedAt = Temporal.Instant.from(receivedAt).add({ hours }).toString()
  const fields = [
    ['Référence / Reference', message.reference],
    ['Reçu / Received', `${formatMoment(receivedAt)} (heure de Toronto / Toronto time)`],
    ['Nom / Name', getName(message)],
    [inBoth(({ contact }) => contact.form.email), toLine(message.email)],
    [
      inBoth(({ contact }) => contact.form.service),
      inBoth(({ contact }) => (service ? contact.form.services[service] : contact.form.noService)),
    ],
    ['Répondre en / Answer in', LANGUAGES[message.language]],
    [
      'Conservé sur le site jusqu’au / Kept on the site until',
      `${formatDay(erasedAt)} (effacez alors aussi ce courriel / then delete this email too)`,
    ],
  ]
  if (trapped.length > 0) {
    const title =
      'Champs cachés remplis (pourriel possible) / Hidden fields filled in (possible spam)'
    fields.push([title, trapped.join(', ')])
  }
  return fields.map(([title, value]) => `${title}\u00a0: ${value}`)
}

/** The mail of a message. The visitor's text is last, so that it cannot imitate our lines. */
export function composeMessage(message: Message, periods?: RetentionPeriods): Letter {
  const { reference, service } = message
  const sector = service && ` – ${inBoth(({ contact }) => contact.form.services[service])}`
  const text = [
    ...describeMessage(message, periods),
    '',
    'Répondez à ce courriel\u00a0: votre réponse ira à cette personne. / Reply to this email: your reply goes to this person.',
    '-'.repeat(60),
    message.message.toWellFormed(),
    '',
  ]
  return {
    id: reference,
    subject: `Message du site / Website message ${reference}${sector}`,
    text: text.join('\n'),
    replyTo: { name: getName(message), address: message.email },
  }
}
