import { loadConfig } from '../../../server/config/config.ts'
import { createLog } from '../../../server/log.ts'
import { logStartupWarnings } from '../../../server/process/run.ts'

function report(environment: Record<string, string>): string[] {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line).msg) })
  logStartupWarnings(loadConfig(environment), log)
  return lines
}

const PLAIN = expect.stringContaining('DATABASE_URL does not use TLS')

test.each([
  'postgres://site:pass@db.example.ca/inbox',
  'postgres://site:pass@10.0.0.7/inbox?sslmode=disable',
  'postgres:///inbox?host=db.example.ca',
  'postgres://localhost/inbox?host=db.example.ca',
  'postgres:///inbox?host=localhost&host=db.example.ca',
])('a database on another machine without TLS is warned of: %s', (url) => {
  expect(report({ DATABASE_URL: url })).toContainEqual(PLAIN)
})

test.each([
  'sqlite:./data/inbox.sqlite',
  'postgres://site:pass@db.example.ca/inbox?sslmode=require',
  'postgres://site:pass@db.example.ca/inbox?ssl=true',
  'postgres://localhost/inbox',
  'postgres://[::1]/inbox',
  'postgres://127.0.0.2/inbox',
  'postgres:///inbox?host=/run/postgresql',
  'postgres://db.example.ca/inbox?host=/run/postgresql',
])('%s is not warned of', (url) => {
  expect(report({ DATABASE_URL: url })).not.toContainEqual(PLAIN)
})

test.each([
  ['0.0.0.0', true],
  ['127.0.0.2', false],
  ['::ffff:127.0.0.1', false],
])('HOST %s without PUBLIC_URL is warned of: %s', (HOST, warned) => {
  const isWarned = report({ HOST }).some((text) => text.startsWith('PUBLIC_URL is not set'))
  expect(isWarned).toBe(warned)
})
