import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { renderDocument } from './document.ts'
import type { Renderer, ServerEntry } from './renderer.ts'

/** Renders with the bundle in `folder`, which `npm run build` writes. */
export async function createBundleRenderer(folder: string): Promise<Renderer> {
  const entryFile = join(folder, 'server/entry-server.js')
  const [template, code, entry] = await Promise.all([
    readFile(join(folder, 'client/index.html'), 'utf8'),
    readFile(entryFile),
    import(pathToFileURL(entryFile).href) as Promise<ServerEntry>,
  ])
  return {
    build: createHash('sha256').update(template).update(code).digest('base64url'),
    styleHashes: hashStyles(template),
    render: (state) => renderDocument(template, entry, state),
  }
}

function hashStyles(template: string): string[] {
  return [...template.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
}
