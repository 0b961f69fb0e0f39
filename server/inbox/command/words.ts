import { CONTENT } from '../../../shared/content/index.ts'
import { fill } from '../../../shared/format.ts'
import { explainUnavailable, type InboxUnavailable, MESSAGE_STATUSES } from '../inbox.ts'
import enTexts from './en.json' with { type: 'json' }
import frTexts from './fr.json' with { type: 'json' }

const writeUsage = (lines: string[]) =>
  fill(lines.join('\n'), { statuses: MESSAGE_STATUSES.join(', ') })

const en = {
  ...enTexts,
  usage: writeUsage(enTexts.usage),
  services: CONTENT.en.contact.form.services,
  explain: explainUnavailable,
}

/** The texts of the inbox command in a language. */
export type Words = typeof en

const fr: Words = {
  ...frTexts,
  usage: writeUsage(frTexts.usage),
  services: CONTENT.fr.contact.form.services,
  explain: ({ reason }: InboxUnavailable) => frTexts.reasons[reason],
}

export const WORDS = { fr, en }
