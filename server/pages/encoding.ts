/// <reference path="./negotiator.d.ts" />
import Negotiator from 'negotiator'

/** Smallest result first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * The encoding with the highest weight; among equal weights the smallest result. req.acceptsEncodings would choose the
 * first name in the header, and browsers name gzip before br.
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
