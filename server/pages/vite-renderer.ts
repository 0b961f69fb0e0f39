import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { fillTemplate } from './document.ts'
import { type Renderer, streamDocument } from './renderer.ts'

interface Development {
  renderer: Renderer
  files: RequestHandler
  close: () => Promise<void>
}

/** Renders from the sources as they are now. Vite is imported here only: the image does not have it. */
export async function createViteRenderer(nonce: string): Promise<Development> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true },
    html: { cspNonce: nonce },
  })
  return {
    renderer: {
      async render(state, onError) {
        const source = await readFile(join(vite.config.root, 'index.html'), 'utf8')
        const template = await vite.transformIndexHtml('/', source)
        const { prepare } = await vite.ssrLoadModule('/entry-server.tsx')
        return streamDocument(await prepare(state), fillTemplate(template, state), onError)
      },
    },
    files: vite.middlewares,
    close: () => vite.close(),
  }
}
