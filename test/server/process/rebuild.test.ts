import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LANGUAGES, LOCALES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { VALID } from '../../../tools/harness/contact.ts'
import { startProcess } from '../../../tools/harness/process.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Logs each module that is loaded, also of packages. */
const SPY = `
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) process.stdout.write(JSON.stringify({ loaded: url }) + '\\n')
    return next(url, context)
  },
})`

/** A copy of the checkout, which a test may delete. */
async function copySite(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'))
  for (const name of ['server', 'shared', 'dist', 'package.json']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  }
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.')) continue
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}

test('a running site does not need its folder, and loads no module after its start', async () => {
  const folder = await copySite()
  const main = join(folder, 'server/main.ts')
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(SPY)}`
  const site = await startProcess([], { NODE_OPTIONS, METRICS_PORT: '0' }, main)
  const loaded = () => site.logged.flatMap((entry) => entry.loaded ?? [])
  // The thread of the inbox has loaded its modules, too, when a message is stored.
  const post = () =>
    fetch(`${site.url}/api/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...VALID, formStartTime: '1000000000000' }),
    })
  try {
    expect((await post()).status).toBe(200)
    const before = loaded().length
    expect(before).toBeGreaterThan(100)
    await rm(folder, { recursive: true })

    for (const { path = '/no-such-page', status } of pages) {
      for (const language of LANGUAGES) {
        const answer = await fetch(`${site.url}${path}?lang=${language}`)
        const expected = path === '/no-such-page' ? 404 : status
        expect([path, answer.status]).toEqual([path, expected])
        expect(await answer.text()).toContain(`<html lang="${LOCALES[language]}"`)
      }
    }
    const html = await (await fetch(site.url)).text()
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
    expect(assets.length).toBeGreaterThan(0)
    const metricsPort = site.logged.find((entry) => 'metricsPort' in entry)?.metricsPort
    const others = ['/sitemap.xml', '/robots.txt', '/api/openapi.json', '/readyz']
    for (const path of [...assets, ...others]) {
      expect((await fetch(site.url + path)).status).toBe(200)
    }
    expect((await fetch(`http://localhost:${metricsPort}/metrics`)).status).toBe(200)
    expect((await fetch(`${site.url}/api/nothing`)).status).toBe(404)
    const form = { method: 'POST', body: new URLSearchParams({ firstName: 'Zoé' }) }
    expect((await fetch(`${site.url}/contact`, form)).status).toBe(400)
    expect((await post()).status).toBe(200)
    expect(loaded().slice(before)).toEqual([])
  } finally {
    expect(await site.stop()).toBe(0)
    await rm(folder, { recursive: true, force: true })
  }
})
