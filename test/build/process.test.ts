import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startProcess } from '../helpers/process.ts'

const MAIN = join(import.meta.dirname, '../../server/main.ts')

test('the site starts, names the placeholders, listens on both loopback addresses and stops in order', async () => {
  const site = await startProcess()
  const port = new URL(site.url).port
  for (const host of ['127.0.0.1', '[::1]']) {
    const { status } = await fetch(`http://${host}:${port}/`)
    expect(status).toBe(200)
  }
  const warning = site.logged.find(({ level }) => level === 40)
  expect(warning?.placeholders).toContain('phone')
  expect(await site.stop()).toBe(0)
}, 30_000)

test('an environment that cannot work stops the start and names every fault', () => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: '70000', TRUST_PROXY: 'true', PUBLIC_URL: 'x' },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  for (const name of ['PORT', 'TRUST_PROXY', 'PUBLIC_URL']) expect(stderr).toContain(name)
}, 30_000)
