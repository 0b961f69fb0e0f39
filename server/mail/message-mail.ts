import { type Content, en, fr } from '../../shared/content/index.ts'
import type { RetentionPeriods } from '../../shared/retention.ts'
import { formatMoment, toLocal } from '../inbox/clock.ts'
import type { Message } from '../inbox/message.ts'

export interface OutgoingMail {
  /** Local part of the Message-ID, the same for each try. */
  id: string
  subject: string
  text: string
  /** True for the daily letter alone: help desks drop automatic mail. */
  isAutomatic?: boolean
  /** The visitor's name and address: do not trust them. */
  replyTo?: { name: string; address: string }
}

const LANGUAGE_NAMES = { fr: 'français / French', en: 'anglais / English' }
const MAX_NAME_LENGTH = 60

/** The name of a message's service; for one that the form no longer has, its id. A Map has no inherited keys, such as `constructor`. */
const getServiceName = (services: Record<string, string>, { service }: Message) =>
  new Map(Object.entries(services)).get(service) ?? service

/** A text in French and then in English, but only once if both are equal. */
function inBoth(pick: (content: Content) => string): string {
  return [...new Set([pick(fr), pick(en)])].join(' / ')
}

/** Characters that show nothing. A mail program may break a line at a run of them: the rest could imitate our lines. */
const BLANKS =
  /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800\ufffc\u{13441}\u{13442}\u{1d159}]+/gu
/** Names in some scripts, emoji, and flags of regions need these. They have no width, and allow no line break. */
const JOINERS = /^[\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}]+/u

/** Joiners stay behind a character; the rest of a run becomes one space. */
function shorten(run: string, offset: number): string {
  const [joiners = ''] = (offset > 0 && JOINERS.exec(run)) || []
  return joiners === run ? run : `${joiners} `
}

/** Turns a text into one line. Breaks up encoded words, which some mail programs decode where RFC 2047 forbids it. */
export function toSingleLine(text: string): string {
  return text.toWellFormed().replace(BLANKS, shorten).replaceAll('=?', '= ?').trim()
}

/** The visitor's name. Falls back to the address, because a name may consist of characters that show nothing. */
function getName({ firstName, lastName, email }: Message): string {
  const characters = [...(toSingleLine(`${firstName} ${lastName}`) || toSingleLine(email))]
  const isLong = characters.length > MAX_NAME_LENGTH
  return isLong ? `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : characters.join('')
}

/** Lines about a message, in both languages, and the date of its erasure. */
export function describeMessage(message: Message, periods: RetentionPeriods) {
  const { receivedAt, status, service } = message
  const hours = 24 * periods[status === 'quarantined' ? 'quarantineDays' : 'retentionDays']
  const erasedAt = Temporal.Instant.from(receivedAt).add({ hours })
  const sector = inBoth(({ contact: { form } }) =>
    service ? getServiceName(form.services, message) : form.noService,
  )
  return {
    name: `Nom / Name\u00a0: ${getName(message)}`,
    email: `Courriel / Email\u00a0: ${toSingleLine(message.email)}`,
    sector: `Secteur / Sector\u00a0: ${sector}`,
    receivedAt: `Reçu / Received\u00a0: ${formatMoment(receivedAt)} (heure de Toronto / Toronto time)`,
    reference: `Référence / Reference\u00a0: ${message.reference}`,
    erasureDate: toLocal(erasedAt.epochMilliseconds).toPlainDate().toString(),
  }
}

/** The mail of a message. The visitor's text is last, below dashes, so that none of it passes for our lines. */
export function composeMessageMail(message: Message, periods: RetentionPeriods): OutgoingMail {
  const { reference, service } = message
  const name = getName(message)
  const about = describeMessage(message, periods)
  const getSector = ({ contact }: Content) => getServiceName(contact.form.services, message)
  const sector = service && inBoth(getSector)
  const text = [
    `${name} vous a écrit au moyen du site${service && `\u00a0: ${getSector(fr)}`}.`,
    `${name} has written to you through the site${service && `: ${getSector(en)}`}.`,
    '',
    'Répondez à ce courriel, dans la langue du message\u00a0: votre réponse ira à l’adresse ci-dessous.',
    'Reply to this email, in the language of the message: your reply goes to the address below.',
    '',
    about.email,
    about.receivedAt,
    `Page lue en / Page read in\u00a0: ${LANGUAGE_NAMES[message.language]}`,
    about.reference,
    `Effacé du site, et à effacer de votre boîte de courriel, le / Erased from the site, and to be deleted from your mailbox, on\u00a0: ${about.erasureDate}`,
    '-'.repeat(60),
    message.message.toWellFormed(),
    '',
  ]
  return {
    id: reference,
    subject: `${name} – ${sector || 'Demande d’information / Information request'} (${reference})`,
    text: text.join('\n'),
    replyTo: { name, address: message.email },
  }
}
