import { FAULT_CODES } from '../../../shared/contact.ts'
import { PROBLEMS } from '../../../shared/problems.ts'
import type { Answer } from './ask.ts'

const ON_EVERY_ANSWER = [
  'x-request-id',
  'content-security-policy',
  'permissions-policy',
  'x-content-type-options',
  'cross-origin-resource-policy',
]
const CODES = new Set<string>([...Object.keys(PROBLEMS), ...FAULT_CODES])
const REFERENCE = /^RG-[0-9A-Z]{5}-[0-9A-Z]{5}$/

function judgeProblem({ status, body }: Answer): string | undefined {
  if (body === '') return undefined
  const problem = JSON.parse(body)
  const keys = ['type', 'title', 'detail', 'code', 'requestId']
  const missing = keys.filter((key) => typeof problem[key] !== 'string' || problem[key] === '')
  if (missing.length > 0) return `a problem without ${missing}`
  if (problem.status !== status) return `a problem that says ${problem.status}`
  if (!CODES.has(problem.code)) return `an unknown code ${problem.code}`
  return undefined
}

function judgePage({ body }: Answer): string | undefined {
  if (body === '') return undefined
  const whole =
    /^<!doctype html>\s*<html lang="(?:fr|en)-CA"/.test(body) && /<\/html>\s*/.test(body)
  return whole ? undefined : 'a page that is not whole'
}

function judgeBody(answer: Answer): string | undefined {
  if (answer.status === 303 || answer.status === 308) return undefined
  const type = String(answer.headers['content-type'] ?? '')
  if (type.startsWith('application/problem+json')) return judgeProblem(answer)
  if (type.startsWith('text/html')) return judgePage(answer)
  if (type.startsWith('text/plain')) return undefined
  return answer.status < 400 ? undefined : `an error of type ${type || 'none'}`
}

function judgeRedirect({ status, headers }: Answer): string | undefined {
  const { location } = headers
  if (status !== 303 && status !== 308) return location ? 'a stray Location' : undefined
  return /^\/(?![/\\])/.test(String(location)) ? undefined : `a redirect to ${location}`
}

function judgeAcceptance({ status, headers, body }: Answer): string | undefined {
  if (status !== 200 || !String(headers['content-type']).startsWith('application/json')) {
    return undefined
  }
  return REFERENCE.test(JSON.parse(body).reference) ? undefined : 'a 200 without a reference'
}

/** What is wrong with an answer, whatever was asked. */
export function findFault(answer: Answer): string | undefined {
  if (answer.status >= 500 || answer.status < 200) return `status ${answer.status}`
  const missing = ON_EVERY_ANSWER.filter((name) => !answer.headers[name])
  if (missing.length > 0) return `${answer.status} without ${missing}`
  return judgeRedirect(answer) ?? judgeBody(answer) ?? judgeAcceptance(answer)
}
