import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createFolder } from '../support/folders.ts'

const folder = createFolder()
const AUDIT = join(import.meta.dirname, '../../tools/gate/audit.ts')

let registry: Server
afterEach(() => registry.close())

/** The audit, asking a registry that answers so. */
async function audit(answer: RequestListener): Promise<{ code: number; output: string }> {
  registry = createServer(answer).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const { port } = registry.address() as AddressInfo
  const child = spawn(process.execPath, [AUDIT], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      npm_config_registry: `http://127.0.0.1:${port}`,
      npm_config_noproxy: '127.0.0.1',
      npm_config_cache: mkdtempSync(join(folder, 'cache-')),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, output: out + error }
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
  ['nothing is known', {}, 0, '0 advisories'],
  ['a small fault in what the server runs', { express: [advisory('low')] }, 1, 'FAILS: express'],
  ['a small fault in a tool', { typescript: [advisory('moderate')] }, 0, 'known: typescript'],
  ['a grave fault in a tool', { typescript: [advisory('high')] }, 1, 'FAILS: typescript'],
])('%s', async (_name, advisories, code, said) => {
  const { code: actual, output } = await audit(answerWith(advisories))
  expect(output).toContain(said)
  expect(actual).toBe(code)
})

test('a registry that does not answer is said plainly, and is neither', async () => {
  const { code, output } = await audit((_req, res) => res.writeHead(405).end())
  expect(output).toContain('Not looked up')
  expect(code).toBe(2)
})
