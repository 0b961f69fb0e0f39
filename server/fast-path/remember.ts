/**
 * Caches the results of a function for the first `maxTexts` texts. They are enough, because most requests repeat a few
 * texts, such as their browser's Accept-Encoding.
 */
export function remember<Result>(find: (text: string) => Result, maxTexts = 100) {
  const results = new Map<string, Result>()
  return (text: string): Result => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = find(text)
    if (results.size < maxTexts) results.set(text, result)
    return result
  }
}
