import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { run } from '../../tools/harness/process.ts'
import { createFolder } from '../support/folders.ts'

const folder = createFolder()

let registry: Server
afterEach(() => registry.close())

/** Runs the audit against a registry with this answer. */
async function audit(answer: RequestListener) {
  registry = createServer(answer).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const { port } = registry.address() as AddressInfo
  const { status, stdout, stderr } = await run(process.execPath, ['tools/gate/audit.ts'], {
    npm_config_registry: `http://127.0.0.1:${port}`,
    npm_config_noproxy: '127.0.0.1',
    npm_config_cache: mkdtempSync(join(folder, 'cache-')),
  })
  return { status, output: stdout + stderr }
}

const answerWith =
  (advisories: object): RequestListener =>
  (req, res) => {
    req.resume()
    if (req.method !== 'POST') res.statusCode = 404
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify(req.method === 'POST' ? advisories : {}))
  }

const advisory = (severity: string) => ({
  id: 1,
  url: 'https://example.ca/advisory',
  title: 'A test',
  severity,
  vulnerable_versions: '<9999',
  cwe: [],
  cvss: { score: 1, vectorString: null },
})

test.each([
  ['no advisory', {}, 0, 'server: passed'],
  ['a low one for the server', { express: [advisory('low')] }, 1, 'server: FAILS'],
  ['a high one for a tool', { typescript: [advisory('high')] }, 1, 'tools: FAILS'],
  ['a moderate one for a tool', { jest: [advisory('moderate')] }, 0, 'tools: passed'],
])('%s', async (_name, advisories, expected, line) => {
  const { status, output } = await audit(answerWith(advisories))
  expect(output).toContain(line)
  expect(status).toBe(expected)
})

test('a registry without an answer is neither passed nor failed', async () => {
  const { status, output } = await audit((_req, res) => res.writeHead(405).end())
  expect(output).toContain('Vulnerabilities not checked: the registry did not answer')
  expect(status).toBe(2)
})
