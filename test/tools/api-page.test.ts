import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  EMAIL_MAX_LENGTH,
  MAX_CONTACT_BYTES,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  MIN_FILL_MS,
  NAME_MAX_LENGTH,
  REFUSAL_LIMIT,
  REPEAT_HOURS,
  SERVICE_IDS,
} from '../../shared/constants.ts'
import { FAULT_CODES } from '../../shared/contact-fields.ts'
import { PROBLEMS } from '../../shared/problems.ts'
import { createFolder } from '../support/folders.ts'
import { type Site, startSite } from '../support/site.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
const cwd = createFolder()

const BLOCKS = /^```sh\n(.*?)^```\n\n```(?:json|text)\n(.*?)^```/gms
const examples = [...page.matchAll(BLOCKS)].map(([, command = '', answer = '']) => ({
  command,
  answer,
}))

/** Replaces values that differ between runs; numbers the references. */
function settle(answer: string): string {
  const references: string[] = []
  return answer
    .replace(/RG-\w{5}-\w{5}/g, (reference) => {
      if (!references.includes(reference)) references.push(reference)
      return `REFERENCE ${references.indexOf(reference)}`
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'REQUEST')
    .replace(/pk=:[^:]+:/g, 'pk=HASH')
    .replace(/\}\s*\{/g, '}{')
}

/** Parses JSON, so that its line breaks do not matter in a comparison. */
function read(answer: string): unknown {
  const text = settle(answer).trim()
  return text.startsWith('{') ? JSON.parse(`[${text.replaceAll('}{', '},{')}]`) : text
}

let site: Site
beforeAll(async () => {
  site = await startSite({ realTime: true })
})
afterAll(() => site.stop())

test('every command of docs/api.md has the documented answer', async () => {
  for (const { command, answer } of examples) {
    const script = command.replaceAll('http://localhost:3000', site.url)
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd })
    expect({ command, answer: read(stdout) }).toEqual({ command, answer: read(answer) })
  }
  expect(examples).toHaveLength(page.match(/^```sh$/gm)?.length ?? 0)
  expect(examples.length).toBeGreaterThan(5)
})

test('docs/api.md names every code, service and limit', () => {
  const codes = [...FAULT_CODES, ...Object.keys(PROBLEMS)].filter((code) => code !== 'bad-path')
  const words = [...codes, ...SERVICE_IDS].map((word) => `\`${word}\``)
  const numbers = [
    `at most ${NAME_MAX_LENGTH} characters`,
    `at most ${EMAIL_MAX_LENGTH} characters`,
    `${MESSAGE_MIN_LENGTH} to ${MESSAGE_MAX_LENGTH} characters`,
    `at least ${MIN_FILL_MS / 1000} s ago`,
    `at most ${MAX_CONTACT_BYTES / 1024} KiB`,
    `${REFUSAL_LIMIT.count} refusals in ${REFUSAL_LIMIT.windowMinutes} minutes`,
    `${REPEAT_HOURS} hours`,
  ]
  expect([...words, ...numbers].filter((word) => !page.includes(word))).toEqual([])
})
