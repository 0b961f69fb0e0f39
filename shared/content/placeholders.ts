import type { Company } from './content.ts'

const PLACEHOLDER = /example|exemple|555-?01\d\d$|^0+$/i

/** The facts about the firm that still hold an evident stand-in, by their keys: `links.site`. */
export function findPlaceholders(company: Company): string[] {
  return walk(company, '')
    .filter(([, value]) => PLACEHOLDER.test(value))
    .map(([key]) => key)
}

function walk(value: unknown, key: string): [string, string][] {
  if (typeof value === 'string') return [[key, value]]
  return Object.entries(value ?? {}).flatMap(([name, inner]) =>
    walk(inner, key ? `${key}.${name}` : name),
  )
}
