import { FAULT_CODES } from '../../../shared/contact-faults.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import type { Answer } from '../../harness/client.ts'

export type Received = Omit<Answer, 'duration'>

/** Parses the answers of a connection (latin1); leaves out status 100. */
export function readAnswers(text: string): Received[] {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return []
  const [start = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1])
  const pairs = lines.map((line) => line.split(/: (.*)/, 2))
  const headers: Received['headers'] = Object.fromEntries(
    pairs.map(([name = '', value]) => [name.toLowerCase(), value]),
  )
  const { body, rest } = readBody(headers, text.slice(end + 4))
  if (status === 100) return readAnswers(rest)
  const readable = headers['content-encoding'] ? '' : Buffer.from(body, 'latin1').toString()
  return [{ status, headers, body: readable }, ...readAnswers(rest)]
}

function readBody(headers: Received['headers'], text: string): { body: string; rest: string } {
  // An answer to HEAD has no body, so the next answer follows at once.
  if (text.startsWith('HTTP/1.1 ')) return { body: '', rest: text }
  if (headers['transfer-encoding'] === 'chunked') return joinChunks(text)
  const length = Number(headers['content-length'] ?? 0)
  return { body: text.slice(0, length), rest: text.slice(length) }
}

function joinChunks(text: string): { body: string; rest: string } {
  const [line = ''] = text.split('\r\n', 1)
  const size = Number.parseInt(line, 16)
  const start = line.length + 2
  const next = text.slice(start + size + 2)
  if (!size) return { body: '', rest: next }
  const { body, rest } = joinChunks(next)
  return { body: text.slice(start, start + size) + body, rest }
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

/** The error in an answer to any request; undefined if there is none. */
export function findFault(answer: Received): string | undefined {
  if (answer.status >= 500 || answer.status < 200) return `status ${answer.status}`
  const missing = ON_EVERY_ANSWER.filter((name) => !answer.headers[name])
  if (missing.length > 0) return `${answer.status} without ${missing}`
  return judgeRedirect(answer) ?? judgeBody(answer) ?? judgeAcceptance(answer)
}
