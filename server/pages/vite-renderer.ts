import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Logger } from '../log.ts'
import { completeShell, createShell } from './html-shell.ts'
import { type Renderer, streamDocument } from './renderer.ts'

/** `imports` is empty: in development the browser finds the imports itself and requests them from Vite. */
const SCRIPTS = { start: '/entry-client.tsx', imports: [] }

/** Renders from the current sources. Vite is imported on demand, because the container image lacks Vite. */
export async function createViteRenderer(nonce: string, log: Logger) {
  const { createLogger, createServer } = await import('vite')
  const customLogger = createLogger()
  for (const level of ['info', 'warn', 'error'] as const) {
    customLogger[level] = (text) => log[level]({ text: stripVTControlCharacters(text) }, 'vite')
  }
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true },
    html: { cspNonce: nonce },
    customLogger,
  })
  const renderer: Renderer = {
    async render(state) {
      const source = await readFile(join(vite.config.root, 'index.html'), 'utf8')
      const template = await vite.transformIndexHtml('/', source)
      const { prepare } = await vite.ssrLoadModule('/entry-server.tsx')
      const shell = completeShell(createShell(template, state, SCRIPTS), state)
      return streamDocument(await prepare(state), shell)
    },
  }
  return { renderer, files: vite.middlewares, close: () => vite.close() }
}
