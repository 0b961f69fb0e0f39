import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { ViteDevServer } from 'vite'
import { renderDocument } from './document.ts'
import type { Renderer, ServerEntry } from './renderer.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The browser gets files of these folders only: never the inbox or files with passwords. */
const SOURCES = ['client', 'shared', 'node_modules'].map((folder) =>
  realpathSync(join(ROOT, folder)),
)

/** The page that throws in order to show the visitors' error page. */
const TEST_PAGE = 'pages/error-test.tsx'

/** Before a frame of a stack. */
const FRAME_START = /(?=\n +(?:at|>) )/

/** Renders from the sources, as they are now. Vite is imported on demand, because the container image lacks it. */
export async function createViteRenderer(server: Server) {
  const { createLogger, createServer } = await import('vite')
  const nonce = randomBytes(16).toString('base64')
  const customLogger = createLogger()
  const vite = await createServer({
    appType: 'custom',
    customLogger,
    server: {
      middlewareMode: true,
      ws: { server },
      fs: { allow: SOURCES },
      forwardConsole: { logLevels: ['error'] },
    },
    html: { cspNonce: nonce },
  })
  const logError = customLogger.error
  // Vite logs the errors of browsers too, but its overlay shows only those of its own.
  customLogger.error = (logged, options) => {
    const text = nameSources(vite, logged)
    logError(text, options)
    if (options?.error || text.includes(TEST_PAGE)) return
    const [message = '', ...frames] = stripVTControlCharacters(text).split(FRAME_START)
    if (frames.length > 0) vite.ws.send({ type: 'error', err: { message, stack: frames.join('') } })
  }
  const renderer: Renderer = {
    styleHashes: [],
    nonce,
    async render(state) {
      try {
        const source = await readFile(join(vite.config.root, 'index.html'), 'utf8')
        const template = await vite.transformIndexHtml('/', source)
        const entry = await vite.ssrLoadModule('/entry-server.tsx')
        return await renderDocument(template, entry as ServerEntry, state)
      } catch (error) {
        throw Error.isError(error) ? explain(vite, error) : error
      }
    },
    explainFailure: (error) => writeOverlay(error, nonce),
  }
  return { renderer, middleware: vite.middlewares, close: () => vite.close() }
}

/** Locations in the stack become those of the sources. Vite's messages have the colours of a terminal. */
function explain(vite: ViteDevServer, error: Error): Error {
  vite.ssrFixStacktrace(error)
  error.message = stripVTControlCharacters(error.message)
  error.stack = stripVTControlCharacters(error.stack ?? '')
  return error
}

const SERVED = /https?:\/\/[^/\s]+(\/[^\s?:]+)[^\s:]*:(\d+):(\d+)/g

/** Locations in served scripts become those of the sources. */
function nameSources({ environments }: ViteDevServer, text: string): string {
  return text.replace(SERVED, (location, url, line, column) => {
    const { file, transformResult } = environments.client.moduleGraph.urlToModuleMap.get(url) ?? {}
    if (!transformResult?.map?.mappings) return location
    const map = new SourceMap(transformResult.map as SourceMapPayload)
    const origin = map.findOrigin(Number(line), Number(column))
    return 'lineNumber' in origin ? `${file}:${origin.lineNumber}:${origin.columnNumber}` : location
  })
}

/** Shows Vite's overlay. The page loads the client too, so that Vite knows its files, and reloads the page when one is mended. */
function writeOverlay(error: unknown, nonce: string): string {
  // A syntax error also has its location in a file.
  const { message, stack, id, loc, frame, plugin } = error as Error & Record<string, unknown>
  const json = JSON.stringify({ message, stack, id, loc, frame, plugin }).replace(/</g, '\\u003c')
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta property="csp-nonce" nonce="${nonce}">
  <title>Error</title>
  <script type="module" nonce="${nonce}">
    import { ErrorOverlay } from '/@vite/client'
    document.body.append(new ErrorOverlay(${json}))
  </script>
  <script type="module" src="/entry-client.ts" nonce="${nonce}"></script>
  <body></body>
</html>`
}
