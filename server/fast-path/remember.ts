/** Most requests repeat a few texts, so the first `maxTexts` texts are enough. */
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
