import { CONTENT } from '../../../shared/content/index.ts'
import { fill } from '../../../shared/format.ts'
import explanations from '../explanations.json' with { type: 'json' }
import { explainUnavailable, type InboxUnavailable, MESSAGE_STATUSES } from '../inbox.ts'
import enTexts from './en.json' with { type: 'json' }
import frTexts from './fr.json' with { type: 'json' }

const writeUsage = (lines: string[]) =>
  fill(lines.join('\n'), { statuses: MESSAGE_STATUSES.join(', ') })

const en = {
  ...enTexts,
  ...explanations.en,
  usage: writeUsage(enTexts.usage),
  services: CONTENT.en.contact.form.services,
  explain: (error: InboxUnavailable) => explainUnavailable(error),
}

/** The texts of the inbox command in a language. */
export type Words = typeof en

const fr: Words = {
  ...frTexts,
  ...explanations.fr,
  usage: writeUsage(frTexts.usage),
  services: CONTENT.fr.contact.form.services,
  explain: (error) => explainUnavailable(error, explanations.fr),
}

export const WORDS = { fr, en }
