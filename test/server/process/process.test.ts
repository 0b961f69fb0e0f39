import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../server/connection/listen.ts'
import { startProcess } from '../../../tools/harness/process.ts'
import { until } from '../../../tools/harness/raw-client.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MAIN = join(ROOT, 'server/main.ts')

test('the site starts, warns of placeholders, listens on both loopback addresses and stops gracefully', async () => {
  const site = await startProcess()
  const port = new URL(site.url).port
  for (const host of ['127.0.0.1', '[::1]']) {
    const { status } = await fetch(`http://${host}:${port}/`)
    expect(status).toBe(200)
  }
  const warning = site.logged.find(({ level }) => level === 40)
  expect(warning?.placeholders).toContain('phone')
  expect(await site.stop()).toBe(0)
})

test('the site starts without a compile cache, and creates one where it can', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cache-'))
  const without = await startProcess([], { NODE_DISABLE_COMPILE_CACHE: '1' })
  expect(await without.stop()).toBe(0)
  expect(existsSync('undefined')).toBe(false)
  const making = await startProcess([], { NODE_COMPILE_CACHE: folder })
  await until(() => readdirSync(folder, { recursive: true }).length > 100)
  expect(await making.stop()).toBe(0)
  await rm(folder, { recursive: true })
})

test('a wrong environment stops the start and names every fault', () => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: '70000', TRUST_PROXY: 'true', PUBLIC_URL: 'x' },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  for (const name of ['PORT', 'TRUST_PROXY', 'PUBLIC_URL']) expect(stderr).toContain(name)
})

test('under node --watch the inbox is open from the start', async () => {
  const watched = `--watch-path=${join(ROOT, 'shared')}`
  const site = await startProcess([], {}, MAIN, [watched])
  const getLines = () =>
    site.logged.map(({ msg }) => String(msg)).filter((msg) => /^inbox /.test(msg))
  await until(() => getLines().includes('inbox open'))
  expect(getLines()).toEqual(['inbox open'])
  await site.stop()
})

test('npm and the image start the site alike', () => {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
  const { start } = JSON.parse(read('package.json')).scripts
  expect(read('Dockerfile')).toContain(
    `\nCMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}\n`,
  )
})

const FULL = '/dev/full'

// Only Linux has such a device.
const onLinux = existsSync(FULL) ? test : test.skip

onLinux('a log on a full disk stops neither the site nor its shutdown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const port = await findFreePort('127.0.0.1')
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(folder, 'inbox.sqlite')}`,
    },
    stdio: ['ignore', openSync(FULL, 'w'), 'inherit'],
  })
  const isServing = async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 200
  await until(() => isServing().catch(() => false))
  expect(await isServing()).toBe(true)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect((await exited)[0]).toBe(0)
  await rm(folder, { recursive: true })
})
