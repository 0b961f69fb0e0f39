import data from './company.json' with { type: 'json' }
import type { Company } from './schema.ts'

export const company: Company = data

const PLACEHOLDER = /example|exemple|555-?01\d\d$|^0+$|^(?:ville|city|K1A 0A0)$/i

/** Keys of the facts that are still placeholders, such as `links.site`. */
export function findPlaceholders(facts: Company): string[] {
  return listFacts(facts, '')
    .filter(([, value]) => PLACEHOLDER.test(value))
    .map(([key]) => key)
}

function listFacts(value: unknown, key: string): [string, string][] {
  if (typeof value === 'string') return [[key, value]]
  return Object.entries(value ?? {}).flatMap(([name, inner]) =>
    listFacts(inner, key ? `${key}.${name}` : name),
  )
}
