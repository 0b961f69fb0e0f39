import type { IncomingHttpHeaders } from 'node:http'

/** What the scanner goes by, of an answer over https. */
export interface Visit {
  headers: IncomingHttpHeaders
  html: string
}

export interface Rule {
  name: string
  /** The most that the rule gives. */
  most: number
  /** Why the site may have less, said when it does. */
  missing: string
  judge(visit: Visit): number
}

/*
 * The rules are those of github.com/mdn/mdn-http-observatory (src/analyzer/tests, src/grader/charts.js), with the
 * points for COOP and COEP of its pull request 498. A header that is there and wrong costs points, one that is
 * missing does where the rule says so.
 */

const HALF_A_YEAR = 15_768_000
const BROAD = /^(?:\*|(?:https?|ftp):(?:\/\/\*(?:\.\*)?)?)$/
const PRIVATE = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin']

/** A policy as directives and their sources. */
function parsePolicy(policy: string): Map<string, string[]> {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  return new Map(directives.map(([name = '', ...sources]) => [name.toLowerCase(), sources]))
}

function judgePolicy({ headers }: Visit): number {
  const policy = parsePolicy(String(headers['content-security-policy'] ?? ''))
  if (!headers['content-security-policy']) return -25
  const sourcesOf = (name: string) => policy.get(name) ?? policy.get('default-src') ?? ['*']
  const isUnsafe = (source: string) =>
    BROAD.test(source) || source === 'data:' || source === "'unsafe-inline'"
  const scripts = sourcesOf('script-src')
  const styles = sourcesOf('style-src')
  if (scripts.some(isUnsafe) || sourcesOf('object-src').some((each) => BROAD.test(each))) return -20
  if ([...policy.values()].flat().some((source) => /^(?:http|ftp):/.test(source))) return -20
  if ([...scripts, ...styles].includes("'unsafe-eval'")) return -10
  if (styles.some(isUnsafe)) return 0
  return policy.get('default-src')?.join() === "'none'" ? 10 : 5
}

function judgeCookies({ headers }: Visit): number {
  const cookies = headers['set-cookie'] ?? []
  if (cookies.length === 0) return 0
  if (cookies.some((cookie) => !/;\s*secure/i.test(cookie))) {
    return headers['strict-transport-security'] ? -5 : -20
  }
  return cookies.every((cookie) => /;\s*samesite=(?:lax|strict)/i.test(cookie)) ? 5 : 0
}

function judgeHsts({ headers }: Visit): number {
  const age = /(?:^|;)\s*max-age=(\d+)/i.exec(headers['strict-transport-security'] ?? '')?.[1]
  if (age === undefined) return -20
  return Number(age) < HALF_A_YEAR ? -10 : 0
}

function judgeIntegrity({ html }: Visit): number {
  // The scanner looks at elements, and what a template holds is none yet.
  const present = html.replace(/<template\b.*?<\/template>/gs, '')
  const scripts = present.match(/<script\b[^>]*\bsrc="[^>]*>/g) ?? []
  const isOurs = (tag: string) => / src="\/(?!\/)/.test(tag)
  if (scripts.some((tag) => !isOurs(tag) && !tag.includes(' integrity='))) return -5
  return scripts.some((tag) => tag.includes(' integrity="sha')) ? 5 : 0
}

function judgeFrames({ headers }: Visit): number {
  const policy = parsePolicy(String(headers['content-security-policy'] ?? ''))
  if (policy.get('frame-ancestors')?.join() === "'none'") return 5
  return /^(?:deny|sameorigin)$/i.test(String(headers['x-frame-options'])) ? 0 : -20
}

/** A header of one word: what it gives for each that it may be, and what any other costs. */
const judgeWord =
  (name: string, points: Record<string, number>, other: number, absent: number) =>
  ({ headers }: Visit): number => {
    const value = headers[name]
    return value === undefined ? absent : (points[String(value)] ?? other)
  }

export const RULES: Rule[] = [
  {
    name: 'content-security-policy',
    most: 10,
    missing: 'the policy is not strict',
    judge: judgePolicy,
  },
  {
    name: 'cookies',
    most: 5,
    missing:
      'the page sets none before a visitor has chosen a language, so there is none to be safe',
    judge: judgeCookies,
  },
  {
    name: 'cross-origin-resource-sharing',
    most: 0,
    missing: 'others may read the page',
    judge: ({ headers }) => (headers['access-control-allow-origin'] ? -50 : 0),
  },
  {
    name: 'redirection',
    most: 0,
    missing: '',
    // From http to https the proxy redirects; the site is never asked over http.
    judge: () => 0,
  },
  {
    name: 'referrer-policy',
    most: 5,
    missing: 'a referrer tells too much',
    judge: judgeWord(
      'referrer-policy',
      Object.fromEntries(PRIVATE.map((each) => [each, 5])),
      -5,
      0,
    ),
  },
  {
    name: 'strict-transport-security',
    most: 5,
    missing: 'preloading takes the firm’s whole domain along, which is not this site’s to decide',
    judge: judgeHsts,
  },
  {
    name: 'subresource-integrity',
    most: 5,
    missing:
      'the scripts, each with its digest, stand in a template until the first paint: the scanner finds none',
    judge: judgeIntegrity,
  },
  {
    name: 'x-content-type-options',
    most: 0,
    missing: 'types are guessed',
    judge: judgeWord('x-content-type-options', { nosniff: 0 }, -5, -5),
  },
  { name: 'x-frame-options', most: 5, missing: 'others may frame the page', judge: judgeFrames },
  {
    name: 'cross-origin-resource-policy',
    most: 10,
    missing: 'others may embed what is served',
    judge: judgeWord(
      'cross-origin-resource-policy',
      { 'same-origin': 10, 'same-site': 10, 'cross-origin': 0 },
      -5,
      0,
    ),
  },
  {
    name: 'cross-origin-opener-policy',
    most: 10,
    missing: 'an opener keeps its hold',
    judge: judgeWord(
      'cross-origin-opener-policy',
      {
        'same-origin': 10,
        'same-origin-allow-popups': 10,
        'noopener-allow-popups': 10,
        'unsafe-none': 0,
      },
      -5,
      0,
    ),
  },
  {
    name: 'cross-origin-embedder-policy',
    most: 10,
    missing: 'anything may be embedded',
    judge: judgeWord(
      'cross-origin-embedder-policy',
      { 'require-corp': 10, credentialless: 10, 'unsafe-none': 0 },
      -5,
      0,
    ),
  },
]
