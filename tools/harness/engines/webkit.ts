import { findFreePort } from '../../../server/connection/listen.ts'
import { endProcess, readLine, startProgram } from '../process.ts'
import { until } from '../raw-client.ts'
import { type Engine, PROFILES, type Profile } from './engine.ts'
import { createWebDriverTab } from './webdriver.ts'

const OPTIONS: Record<Profile, string[]> = {
  default: [],
  'no storage': ['--enable-html5-local-storage=false'],
  'no cookies': ['--cookies-policy=never'],
  'no script': ['--enable-javascript=false'],
}

const CALL_TIMEOUT_MS = 30_000

/** WebKitGTK's MiniBrowser on its own virtual screen, over classic WebDriver, which does not report the console. */
export async function createWebKit(binary: string): Promise<Engine> {
  const size = ['-screen', '0', '1600x1000x24']
  const screen = startProgram('Xvfb', ['-displayfd', '1', ...size], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const DISPLAY = `:${await readLine(screen.stdout, /^(\d+)$/)}`
  const port = await findFreePort('127.0.0.1')
  const env = { ...process.env, DISPLAY }
  const driver = startProgram('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' })

  async function send<Value>(method: string, path: string, body?: object): Promise<Value> {
    const url = `http://127.0.0.1:${port}${path}`
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS)
    const answer = await fetch(url, { method, body: body && JSON.stringify(body), signal })
    const { value } = await answer.json()
    if (!answer.ok) throw new Error(`WebKitWebDriver refused ${path}: ${value.message}`)
    return value
  }
  await until(() =>
    fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )

  return {
    name: 'WebKit',
    profiles: PROFILES,
    async open(profile) {
      const args = ['--automation', ...OPTIONS[profile]]
      const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
        capabilities: {
          alwaysMatch: {
            pageLoadStrategy: 'none',
            'webkitgtk:browserOptions': { binary, args, useOverlayScrollbars: false },
          },
        },
      })
      const session = `/session/${sessionId}`
      const act = (actions: object[]) => send('POST', `${session}/actions`, { actions })
      const call = (script: string) =>
        send<string | null>('POST', `${session}/execute/sync`, { script, args: [] })
      return {
        ...createWebDriverTab(call, act),
        open: (url) => send('POST', `${session}/url`, { url }),
        resize: (width, height) =>
          send('POST', `${session}/window/rect`, { x: 0, y: 0, width, height }),
        capture: async () =>
          Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64'),
        async close() {
          await send('DELETE', session)
        },
      }
    },
    async close() {
      await endProcess(driver)
      await endProcess(screen)
    },
  }
}
