import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provide } from '../browser.ts'
import { endProcess, readLine, startProgram } from '../process.ts'
import { createWebDriverTab, type Engine, type Profile } from './engine.ts'

const PREFERENCES: Record<Profile, string> = {
  default: '',
  dark: 'user_pref("ui.systemUsesDarkTheme", 1);',
  'no storage': 'user_pref("dom.storage.enabled", false);',
  'no cookies': 'user_pref("network.cookie.cookieBehavior", 2);',
  'no script': 'user_pref("javascript.enabled", false);',
}
const SCROLL_BARS = 'user_pref("widget.gtk.overlay-scrollbars.enabled", false);'

/** Fields that are read from Firefox's answers. An answer has only those of its command. */
interface Result {
  context: string
  result?: { value?: string }
  exceptionDetails?: { text: string }
}

/** Drives the installed Firefox over WebDriver BiDi, so it needs no separate driver. */
export const openFirefox: Engine = async (profile) => {
  const executable = provide(['/usr/bin/firefox'], ['firefox-esr']) ?? 'firefox'
  const folder = mkdtempSync(join(tmpdir(), 'firefox-'))
  writeFileSync(join(folder, 'user.js'), SCROLL_BARS + PREFERENCES[profile])
  const options = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port=0']
  const child = startProgram(executable, options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const url = await readLine(child.stderr, /BiDi listening on (\S+)/)
  const socket = new WebSocket(`${url}/session`)
  const noise: string[] = []
  const answers = new EventEmitter()
  socket.addEventListener('message', ({ data }) => {
    const { id, params, ...answer } = JSON.parse(data)
    answers.emit(`${id}`, answer)
    if (['error', 'warn'].includes(params?.level)) noise.push(params.text)
  })
  let calls = 0
  async function send(method: string, params: object): Promise<Result> {
    calls += 1
    const answered = once(answers, `${calls}`)
    socket.send(JSON.stringify({ id: calls, method, params }))
    const [{ error, message, result }] = await answered
    if (error) throw new Error(`Firefox refused ${method}: ${message}`)
    return result
  }
  await once(socket, 'open')
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  // Open another window: the first window does not get the focus.
  const { context } = await send('browsingContext.create', { type: 'window' })
  return {
    ...createWebDriverTab(
      async (body) => {
        const { result, exceptionDetails } = await send('script.callFunction', {
          functionDeclaration: `() => { ${body} }`,
          awaitPromise: true,
          target: { context },
        })
        if (exceptionDetails) throw new Error(exceptionDetails.text)
        return result?.value
      },
      (actions) => send('input.performActions', { context, actions }),
    ),
    noise,
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'none' }),
    setViewportSize: (viewport) => send('browsingContext.setViewport', { context, viewport }),
    async close() {
      await endProcess(child)
      rmSync(folder, { recursive: true })
    },
  }
}
