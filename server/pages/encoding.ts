/// <reference path="./negotiator.d.ts" />
import Negotiator from 'negotiator'

export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Browsers name gzip before br. Unlike req.acceptsEncodings, this function prefers br at equal weights. */
export function chooseEncoding(
  header: string | undefined,
  available: readonly Encoding[] = ENCODINGS,
): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const [best = 'identity'] = negotiator.encodings(available, { preferred: ENCODINGS })
  return best
}

const MAX_KNOWN = 100
const known = new Map<string, Encoding>()

/** Remembers its first answers, because most requests repeat a few headers: see docs/decisions/0009-speed.md. */
export function findEncoding(header: string): Encoding {
  const remembered = known.get(header)
  if (remembered) return remembered
  const encoding = chooseEncoding(header)
  if (known.size < MAX_KNOWN) known.set(header, encoding)
  return encoding
}
