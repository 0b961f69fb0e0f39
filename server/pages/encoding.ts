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
