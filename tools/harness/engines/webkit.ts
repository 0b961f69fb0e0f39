import { globSync } from 'node:fs'
import { provide } from '../browser.ts'
import { endProcess, findFreePort, readLine, startProgram } from '../process.ts'
import { until } from '../raw-client.ts'
import { createWebDriverTab, type Engine, type Profile } from './engine.ts'

const OPTIONS: Record<Profile, string[]> = {
  default: [],
  dark: ['--dark-mode'],
  'no storage': ['--enable-html5-local-storage=false'],
  'no cookies': ['--cookies-policy=never'],
  'no script': ['--enable-javascript=false'],
}
const SCREEN_WIDTH = 1600
const SCREEN = ['-displayfd', '1', '-screen', '0', `${SCREEN_WIDTH}x1000x24`]
/** Timeout of a call to the driver, because a call may get lost while a document is being replaced. */
const CALL_TIMEOUT_MS = 20_000
/** On a busy machine, the browser starts as slowly as this. */
const START_TIMEOUT_MS = 120_000

/** Drives WebKitGTK's MiniBrowser on a virtual screen. Its protocol, classic WebDriver, does not report the console. */
export const openWebKit: Engine = async (profile) => {
  const driverPath = provide(['/usr/bin/WebKitWebDriver'], ['webkit2gtk-driver', 'xvfb'])
  const screen = startProgram('Xvfb', SCREEN, { stdio: ['ignore', 'pipe', 'ignore'] })
  const env = { ...process.env, DISPLAY: `:${await readLine(screen.stdout, /^(\d+)$/)}` }
  const port = await findFreePort()
  const driver = startProgram(driverPath ?? 'WebKitWebDriver', [`--port=${port}`], {
    env,
    stdio: 'ignore',
  })

  async function send<Value>(method: string, path: string, body?: object): Promise<Value> {
    const url = `http://127.0.0.1:${port}${path}`
    const signal = AbortSignal.timeout(path === '/session' ? START_TIMEOUT_MS : CALL_TIMEOUT_MS)
    const answer = await fetch(url, { method, body: body && JSON.stringify(body), signal })
    const { value } = await answer.json()
    if (!answer.ok) throw new Error(`WebKitWebDriver refused ${path}: ${value.message}`)
    return value
  }
  await until(() => send('GET', '/status').then(Boolean, () => false))
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')
  const args = ['--automation', ...OPTIONS[profile]]
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        pageLoadStrategy: 'none',
        'webkitgtk:browserOptions': { binary, args, useOverlayScrollbars: false },
      },
    },
  })
  const post = <Value>(path: string, body: object) =>
    send<Value>('POST', `/session/${sessionId}/${path}`, body)
  return {
    ...createWebDriverTab(
      (script) => post('execute/sync', { script, args: [] }),
      (actions) => post('actions', { actions }),
    ),
    open: (url) => post('url', { url }),
    // The pointer is in the screen's middle. Only a window under the pointer has focus.
    setViewportSize: (size) =>
      post('window/rect', { x: (SCREEN_WIDTH - size.width) / 2, y: 0, ...size }),
    async close() {
      await send('DELETE', `/session/${sessionId}`)
      await endProcess(driver)
      await endProcess(screen)
    },
  }
}
