import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fillTemplate } from './document.ts'
import { type Renderer, streamDocument } from './renderer.ts'

/** Renders with the built bundle; `folder` is what `npm run build` made. */
export async function createBundleRenderer(folder: string): Promise<Renderer> {
  const entry = join(folder, 'server/entry-server.js')
  const [template, build, { prepare }] = await Promise.all([
    readFile(join(folder, 'client/index.html'), 'utf8'),
    hashFolder(join(folder, 'server')),
    import(pathToFileURL(entry).href),
  ])
  return {
    build: createHash('sha256').update(build).update(template).digest('base64url'),
    async render(state, onError) {
      return streamDocument(await prepare(state), fillTemplate(template, state), onError)
    },
  }
}

async function hashFolder(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'))
  const hash = createHash('sha256')
  for (const name of names.sort()) hash.update(name).update(await readFile(join(folder, name)))
  return hash.digest('base64url')
}
