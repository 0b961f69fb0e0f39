import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcess, readLine, startProgram } from '../process.ts'
import { type Engine, PROFILES, type Profile } from './engine.ts'
import { createWebDriverTab } from './webdriver.ts'

export const PREFERENCES: Record<Profile, Record<string, boolean | number>> = {
  default: { 'ui.useOverlayScrollbars': 0, 'widget.gtk.overlay-scrollbars.enabled': false },
  'no storage': { 'dom.storage.enabled': false },
  'no cookies': { 'network.cookie.cookieBehavior': 2 },
  'no script': { 'javascript.enabled': false },
}

/** A connection of the WebDriver BiDi standard. */
async function connect(address: string) {
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const noise: string[] = []
  const answers = new EventEmitter()
  socket.addEventListener('message', ({ data }) => {
    const { id, params, ...answer } = JSON.parse(data)
    answers.emit(`${id}`, answer)
    if (['error', 'warn'].includes(params?.level)) noise.push(params.text)
  })
  let calls = 0
  async function send<Value>(method: string, params: object): Promise<Value> {
    calls += 1
    const answered = once(answers, `${calls}`)
    socket.send(JSON.stringify({ id: calls, method, params }))
    const [{ error, message, result }] = await answered
    if (error) throw new Error(`Firefox refused ${method}: ${message}`)
    return result
  }
  return { send, noise }
}

/** Uses any installed Firefox; needs no separate driver. */
export function createFirefox(executable: string): Engine {
  return {
    name: 'Firefox',
    profiles: PROFILES,
    async open(profile) {
      const folder = mkdtempSync(join(tmpdir(), 'firefox-'))
      const preferences = Object.entries({ ...PREFERENCES.default, ...PREFERENCES[profile] })
      const lines = preferences.map(([name, value]) => `user_pref("${name}", ${value});`)
      writeFileSync(join(folder, 'user.js'), lines.join('\n'))
      const options = [
        '--headless',
        '--no-remote',
        '--profile',
        folder,
        '--remote-debugging-port=0',
      ]
      const child = startProgram(executable, options, { stdio: ['ignore', 'ignore', 'pipe'] })
      const { send, noise } = await connect(await readLine(child.stderr, /BiDi listening on (\S+)/))
      await send('session.new', { capabilities: {} })
      await send('session.subscribe', { events: ['log.entryAdded'] })
      // Only a window that is opened later has the focus.
      const { context } = await send<{ context: string }>('browsingContext.create', {
        type: 'window',
      })
      const act = (actions: object[]) => send('input.performActions', { context, actions })
      async function call(body: string): Promise<string | null> {
        const { result, exceptionDetails } = await send<{
          result?: { value?: string }
          exceptionDetails?: { text: string }
        }>('script.callFunction', {
          functionDeclaration: `() => { ${body} }`,
          awaitPromise: true,
          target: { context },
        })
        if (exceptionDetails) throw new Error(exceptionDetails.text)
        return result?.value ?? null
      }
      return {
        ...createWebDriverTab(call, act),
        noise,
        async open(url) {
          await send('browsingContext.navigate', { context, url, wait: 'none' })
          await send('browsingContext.activate', { context })
        },
        resize: (width, height) =>
          send('browsingContext.setViewport', { context, viewport: { width, height } }),
        async capture() {
          const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', {
            context,
          })
          return Buffer.from(data, 'base64')
        },
        async close() {
          await endProcess(child)
          rmSync(folder, { recursive: true })
        },
      }
    },
  }
}
