import { mapFields } from '../../../shared/contact-fields.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { fill } from '../../../shared/format.ts'
import type { Language } from '../../../shared/language.ts'
import { explainUnavailable, type InboxUnavailable } from '../inbox-errors.ts'
import { MESSAGE_STATUSES } from '../message.ts'
import enTexts from './en.json' with { type: 'json' }
import frTexts from './fr.json' with { type: 'json' }

const createWords = (language: Language, texts: typeof enTexts) => ({
  ...texts,
  usage: fill(texts.usage.join('\n'), { statuses: MESSAGE_STATUSES.join(', ') }),
  fields: { ...texts.fields, ...mapFields((name) => CONTENT[language].contact.form[name]) },
  services: CONTENT[language].contact.form.services,
  explain: (error: InboxUnavailable) => explainUnavailable(error, texts),
})

export type Words = ReturnType<typeof createWords>

export const WORDS = { fr: createWords('fr', frTexts), en: createWords('en', enTexts) }
