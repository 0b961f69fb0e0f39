import { LINE_BREAKS } from '../../shared/contact-schema.ts'
import type { RetentionPeriods } from '../../shared/retention.ts'
import { formatMoment, LETTER_HOUR } from '../inbox/clock.ts'
import type { LetterFacts } from '../inbox/letter-facts.ts'
import { BROWSERS } from '../inbox/measure.ts'
import type { Message } from '../inbox/message.ts'
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

/** The news in French and in English, the most urgent first. */
function findNews({ givenUp, waiting, quarantined }: LetterFacts): [string, string] {
  const news = [
    [givenUp.count, 'à traiter aujourd’hui, non envoyés', 'to deal with today, not emailed'],
    [waiting.count, 'en attente d’envoi', 'waiting to be emailed'],
    [quarantined.count, 'à vérifier', 'to check'],
  ].filter(([count]) => count !== 0)
  if (news.length === 0) return ['Rien à faire', 'Nothing to do']
  const list = (words: 1 | 2) => news.map((row) => `${row[0]} ${row[words]}`).join(', ')
  return [`Messages\u00a0: ${list(1)}`, `Messages: ${list(2)}`]
}

/** `failures` is the number of tries in which the mail server did not accept this letter. */
export function composeDailyLetter(
  facts: LetterFacts,
  periods: RetentionPeriods,
  failures: number,
): OutgoingMail {
  const { date, givenUp, quarantined, waiting, mailed, errors } = facts
  const clientErrors = errors.find(({ place }) => place === BROWSERS)?.count ?? 0
  const [french, english] = findNews(facts)
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
      clientErrors > 0,
      `Erreurs du site dans le navigateur de visiteurs, depuis la dernière lettre\u00a0: ${clientErrors}. Transmettez ce nombre à la personne qui exploite le site\u00a0: le journal du site dit de quoi il s’agit.`,
      `Errors of the site in visitors’ browsers since the last letter: ${clientErrors}. Pass this number on to whoever operates the site: the site’s log says what they are.`,
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
