/** The smallest first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Less than any weight that a client can give: identity is acceptable, but last, where it is not named. */
const UNNAMED_IDENTITY = 0.0001

/** Header of nearly every browser: br, no weights. Only the first br may match; trying each takes quadratic time. */
const NAMES_BR = /^(?:(?!br\b)[a-z]+, ?)*br(?:, ?[a-z]+)*$/

/**
 * What a client likes best of the encodings there are, the smallest where it does not care.
 * @param header Accept-Encoding, with its weights (RFC 9110, 12.5.3)
 */
export function chooseEncoding(
  header: string | undefined,
  available: readonly Encoding[] = ENCODINGS,
): Encoding {
  if (!header) return 'identity'
  if (available[0] === 'br' && NAMES_BR.test(header)) return 'br'
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight ? Number(weight.slice(2)) || 0 : 1)
  }
  const weigh = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? UNNAMED_IDENTITY : 0)
  const [best = 'identity'] = [...available].sort((a, b) => weigh(b) - weigh(a))
  return weigh(best) > 0 ? best : 'identity'
}
