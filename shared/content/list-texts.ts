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
