/** Smallest result first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Lower than any weight that a client can send: identity is the last choice unless the client names it. */
const UNNAMED_IDENTITY = 0.0001

/**
 * The encoding with the highest weight; among equal weights the smallest encoding. req.acceptsEncodings would choose
 * the first name in the header, and browsers name gzip before br.
 * @param header Accept-Encoding (RFC 9110, 12.5.3)
 */
export function chooseEncoding(
  header: string | undefined,
  available: readonly Encoding[] = ENCODINGS,
): Encoding {
  if (!header) return 'identity'
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';')
    const weight = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='))
    weights.set(name.trim(), weight ? Number(weight.slice(2)) || 0 : 1)
  }
  const weigh = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? UNNAMED_IDENTITY : 0)
  const best = available.reduce((first, each) => (weigh(each) > weigh(first) ? each : first))
  return weigh(best) > 0 ? best : 'identity'
}
