import { globSync } from 'node:fs'
import { findFreePort } from '../../../server/connection/listen.ts'
import { endProcess, readLine, startProgram } from '../process.ts'
import { until } from '../raw-client.ts'
import type { Engine, Profile } from './engine.ts'
import { createWebDriverTab } from './webdriver.ts'

const OPTIONS: Record<Profile, string[]> = {
  default: [],
  'no storage': ['--enable-html5-local-storage=false'],
  'no cookies': ['--cookies-policy=never'],
  'no script': ['--enable-javascript=false'],
}
const CALL_TIMEOUT_MS = 30_000

/** WebKitGTK's MiniBrowser on its own virtual screen, over classic WebDriver, which does not report the console. */
export const createWebKit =
  (driverPath: string): Engine =>
  async (profile) => {
    const screen = startProgram('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1000x24'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const env = { ...process.env, DISPLAY: `:${await readLine(screen.stdout, /^(\d+)$/)}` }
    const port = await findFreePort('127.0.0.1')
    const driver = startProgram(driverPath, [`--port=${port}`], { env, stdio: 'ignore' })

    async function send<Value>(method: string, path: string, body?: object): Promise<Value> {
      const url = `http://127.0.0.1:${port}${path}`
      const signal = AbortSignal.timeout(CALL_TIMEOUT_MS)
      const answer = await fetch(url, { method, body: body && JSON.stringify(body), signal })
      const { value } = await answer.json()
      if (!answer.ok) throw new Error(`WebKitWebDriver refused ${path}: ${value.message}`)
      return value
    }
    await until(() =>
      send('GET', '/status').then(
        () => true,
        () => false,
      ),
    )
    const [binary] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')
    const args = ['--automation', ...OPTIONS[profile]]
    const alwaysMatch = {
      pageLoadStrategy: 'none',
      'webkitgtk:browserOptions': { binary, args, useOverlayScrollbars: false },
    }
    const { sessionId, capabilities } = await send<{
      sessionId: string
      capabilities: { browserVersion: string }
    }>('POST', '/session', { capabilities: { alwaysMatch } })
    const session = `/session/${sessionId}`
    return {
      ...createWebDriverTab(
        (script) => send('POST', `${session}/execute/sync`, { script, args: [] }),
        (actions) => send('POST', `${session}/actions`, { actions }),
      ),
      version: capabilities.browserVersion,
      open: (url) => send('POST', `${session}/url`, { url }),
      setViewportSize: (size) => send('POST', `${session}/window/rect`, { x: 0, y: 0, ...size }),
      screenshot: async () =>
        Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64'),
      async close() {
        await send('DELETE', session)
        await endProcess(driver)
        await endProcess(screen)
      },
    }
  }
