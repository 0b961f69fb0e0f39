import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { RequestHandler } from 'express'
import type { Renderer } from '../app.ts'
import { createServer as createHttpServer } from '../connection/node-http.ts'
import type { Logger } from '../log.ts'
import { completeShell, createShell, readDocument } from './html-shell.ts'

/** `imports` is empty: in development the browser finds the imports itself and requests them from Vite. */
const SCRIPTS = { start: '/entry-client.tsx', imports: [] }

const ROOT = join(import.meta.dirname, '../..')
/** The browser gets files of these folders only: never the inbox or files with passwords. */
const SOURCES = ['client', 'shared', 'node_modules'].map((folder) => join(ROOT, folder))

/** Renders from the current sources. Vite is imported on demand, because the container image lacks Vite. */
export async function createViteRenderer(nonce: string, log: Logger) {
  const { createLogger, createServer } = await import('vite')
  const customLogger = createLogger()
  for (const level of ['info', 'warn', 'error'] as const) {
    customLogger[level] = (text) => log[level]({ text: stripVTControlCharacters(text) }, 'vite')
  }
  // Without a server, Vite would listen for its WebSocket on a second port of all network interfaces.
  const upgrades = createHttpServer()
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true, ws: { server: upgrades }, fs: { allow: SOURCES } },
    html: { cspNonce: nonce },
    customLogger,
  })
  const renderer: Renderer = {
    async render(state) {
      const source = await readFile(join(vite.config.root, 'index.html'), 'utf8')
      const template = await vite.transformIndexHtml('/', source)
      const { render } = await vite.ssrLoadModule('/entry-server.tsx')
      const shell = completeShell(createShell(template, state, SCRIPTS), state)
      return readDocument(await render(state), shell)
    },
  }
  const attachVite = (servers: Server[]) => {
    for (const server of servers) {
      server.on('upgrade', (req, socket, head) => {
        const isVites = req.headers['sec-websocket-protocol']?.startsWith('vite-')
        if (isVites) upgrades.emit('upgrade', req, socket, head)
        else socket.destroy()
      })
    }
  }
  // Vite's /__open-in-editor starts a program, and any web page could call it: Vite gets no path that starts with /__.
  const assets: RequestHandler = (req, res, next) =>
    req.path.startsWith('/__') ? next() : vite.middlewares(req, res, next)
  return { renderer, assets, attachVite, closeVite: () => vite.close() }
}
