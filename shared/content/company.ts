import data from './company.json' with { type: 'json' }

export const company = data
export type Company = typeof company

const PLACEHOLDER = /example|exemple|555-?01\d\d$|^0+(?: |$)|^(?:ville|city|K1A 0A0)$/i

/** The members of a JSON array or object, with keys such as `items[0]` or `address.fr`. */
export function listMembers(value: unknown, key = ''): [key: string, member: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  const toKey = (name: string) =>
    Array.isArray(value) ? `${key}[${name}]` : key + (key && '.') + name
  return Object.entries(value).map(([name, member]) => [toKey(name), member])
}

/** All texts of a JSON value. */
export function listTexts(value: unknown, key = ''): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]]
  return listMembers(value, key).flatMap(([inner, member]) => listTexts(member, inner))
}

/** Keys of the facts that are still placeholders, such as `links.site`. */
export function findPlaceholders(facts: unknown): string[] {
  const found = listTexts(facts).filter(([, text]) => PLACEHOLDER.test(text))
  return found.map(([key]) => key)
}
