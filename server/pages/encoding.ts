/// <reference path="./negotiator.d.ts" />
import Negotiator from 'negotiator'

export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * The encoding with the highest weight; of those with equal weights, the first in ENCODINGS. req.acceptsEncodings would
 * choose the first in the header instead: browsers name gzip before br, although br is smaller.
 * @param header Accept-Encoding (RFC 9110, 12.5.3)
 */
export function chooseEncoding(
  header: string | undefined,
  available: readonly Encoding[] = ENCODINGS,
): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const [best = 'identity'] = negotiator.encodings(available, { preferred: ENCODINGS })
  return best
}
