import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startSite } from '../support/site.ts'

const PROVE = join(import.meta.dirname, '../../tools/proofs/main.ts')

async function smoke(site: string): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [PROVE, 'smoke', '--site', site, '--post'], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code, output }
}

test('the smoke test passes on the site and leaves one message', async () => {
  const site = await startSite({ realTime: true })
  const { code, output } = await smoke(site.url)
  expect(output).not.toContain('FAILS')
  expect(output).toMatch(/^proved$/m)
  expect(code).toBe(0)
  expect(await site.messages()).toHaveLength(1)
  await site.stop()
})

test('the smoke test reports every part of another server', async () => {
  const server = createServer((_req, res) => res.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { code, output } = await smoke(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.closeAllConnections()
  server.close()
  const failures = output.match(/FAILS: .*/g) ?? []
  for (const part of [
    'pages',
    'scripts',
    'headers',
    'unknown page',
    'refused',
    'message is kept',
  ]) {
    expect(failures.join('\n')).toContain(part)
  }
  expect(code).toBe(1)
})
