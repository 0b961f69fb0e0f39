import type { Message } from '../inbox/inbox.ts'
import { TIME_ZONE } from './local-time.ts'
import { formatMoment, inBoth, toLine } from './mail-format.ts'
import type { Letter } from './mailer.ts'

const LANGUAGES = { fr: 'français / French', en: 'anglais / English' }

/** The mail of a message. Its text comes last, so that nothing typed can pose as one of our lines. */
export function composeMessage(message: Message): Letter {
  const { reference, firstName, lastName, email, service, trapped } = message
  const name = toLine(`${firstName} ${lastName}`)
  const fields: [string, string][] = [
    ['Référence / Reference', reference],
    ['Reçu / Received', `${formatMoment(message.receivedAt)} (${TIME_ZONE})`],
    ['Nom / Name', name],
    [inBoth(({ contact }) => contact.form.email), toLine(email)],
    [
      inBoth(({ contact }) => contact.form.service),
      inBoth(({ contact }) => (service ? contact.form.services[service] : contact.form.noService)),
    ],
    ['Langue / Language', LANGUAGES[message.language]],
  ]
  if (trapped.length > 0) fields.push(['Pièges remplis / Filled traps', trapped.join(', ')])
  const text = [
    ...fields.map(([title, value]) => `${title} : ${value}`),
    '',
    'Votre réponse à ce courriel ira à cette personne. / Your answer to this mail will go to this person.',
    '',
    '-'.repeat(60),
    message.message.toWellFormed(),
    '',
  ]
  return {
    id: reference,
    subject: `Message du site / Website message ${reference}`,
    text: text.join('\n'),
    replyTo: { name, address: email },
  }
}
