import { FAULT_CODES } from '../../../shared/contact-fields.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import type { Answer } from '../../harness/client.ts'

export type Received = Omit<Answer, 'bytes' | 'duration'>

/** Parses the answers of a connection (latin1). Leaves out encoded bodies, and answers with status 100. */
export function readAnswers(text: string): Received[] {
  const answers = text.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => {
    const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s)
    const [start = '', ...lines] = head.split('\r\n')
    const pairs = lines.map((line) => line.split(/: (.*)/, 2))
    const headers: Received['headers'] = Object.fromEntries(
      pairs.map(([name = '', value]) => [name.toLowerCase(), value]),
    )
    const isPlain = !headers['content-encoding'] && !headers['transfer-encoding']
    const readable = isPlain ? Buffer.from(body, 'latin1').toString() : ''
    return { status: Number(start.split(' ')[1]), headers, body: readable }
  })
  return answers.filter(({ status }) => status > 100)
}

const ON_EVERY_ANSWER = [
  'x-request-id',
  'content-security-policy',
  'permissions-policy',
  'x-content-type-options',
  'cross-origin-resource-policy',
]
const CODES = new Set<string>([...Object.keys(PROBLEMS), ...FAULT_CODES])
const REFERENCE = /^RG-[0-9A-Z]{5}-[0-9A-Z]{5}$/

function judgeProblem({ status, body }: Received): string | undefined {
  if (body === '') return undefined
  const problem = JSON.parse(body)
  const keys = ['type', 'title', 'detail', 'code', 'requestId']
  const missing = keys.filter((key) => typeof problem[key] !== 'string' || problem[key] === '')
  if (missing.length > 0) return `a problem without ${missing}`
  if (problem.status !== status) return `a problem with status ${problem.status}`
  if (!CODES.has(problem.code)) return `an unknown code ${problem.code}`
  return undefined
}

function judgePage({ body }: Received): string | undefined {
  if (body === '') return undefined
  const isWhole =
    /^<!doctype html>\s*<html lang="(?:fr|en)-CA"/.test(body) && /<\/html>\s*/.test(body)
  return isWhole ? undefined : 'an incomplete page'
}

function judgeBody(answer: Received): string | undefined {
  if (answer.status === 303 || answer.status === 308) return undefined
  const type = String(answer.headers['content-type'] ?? '')
  if (type.startsWith('application/problem+json')) return judgeProblem(answer)
  if (type.startsWith('text/html')) return judgePage(answer)
  if (type.startsWith('text/plain')) return undefined
  return answer.status < 400 ? undefined : `an error of type ${type || 'none'}`
}

function judgeRedirect({ status, headers }: Received): string | undefined {
  const { location } = headers
  if (status !== 303 && status !== 308) return location ? 'a stray Location' : undefined
  return /^\/(?![/\\])/.test(String(location)) ? undefined : `a redirect to ${location}`
}

function judgeAcceptance({ status, headers, body }: Received): string | undefined {
  if (status !== 200 || !String(headers['content-type']).startsWith('application/json')) {
    return undefined
  }
  return REFERENCE.test(JSON.parse(body).reference) ? undefined : 'a 200 without a reference'
}

export function findFault(answer: Received): string | undefined {
  if (answer.status >= 500 || answer.status < 200) return `status ${answer.status}`
  const missing = ON_EVERY_ANSWER.filter((name) => !answer.headers[name])
  if (missing.length > 0) return `${answer.status} without ${missing}`
  return judgeRedirect(answer) ?? judgeBody(answer) ?? judgeAcceptance(answer)
}
