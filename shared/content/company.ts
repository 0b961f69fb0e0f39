import data from './company.json' with { type: 'json' }
import { listTexts } from './list-texts.ts'

export const company = data
export type Company = typeof company

const PLACEHOLDER = /example|exemple|555-?01\d\d$|^0+(?: |$)|^(?:ville|city|K1A 0A0)$/i

/** Keys of the facts that are still placeholders, such as `links.site`. */
export function findPlaceholders(facts: unknown): string[] {
  const found = listTexts(facts).filter(([, text]) => PLACEHOLDER.test(text))
  return found.map(([key]) => key)
}
