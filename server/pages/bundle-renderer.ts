import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { excerptOf } from '../../shared/page-texts.ts'
import { getPage, type PageId, pages } from '../../shared/pages.ts'
import { fillTemplate } from './document.ts'
import { type Renderer, streamDocument } from './renderer.ts'

/** Renders with the built bundle; `folder` is what `npm run build` made. */
export async function createBundleRenderer(folder: string): Promise<Renderer> {
  const entry = join(folder, 'server/entry-server.js')
  const [template, manifest, build, { prepare }] = await Promise.all([
    readFile(join(folder, 'client/index.html'), 'utf8'),
    readFile(join(folder, 'client/.vite/manifest.json'), 'utf8').then(JSON.parse),
    hashFolder(join(folder, 'server')),
    import(pathToFileURL(entry).href),
  ])
  return {
    build: hashFrames(template, build),
    async render(state, onError) {
      const scripts = findScripts(manifest, state.page, state.language)
      const frame = fillTemplate(template, state, scripts)
      return streamDocument(await prepare(state), frame, onError)
    },
  }
}

/** Vite's list of what was built: source -> file and the chunks that it imports. */
type Manifest = Record<string, { file: string; imports?: string[] }>

/** The scripts of a page beyond those that every page loads. */
function findScripts(manifest: Manifest, page: PageId, language: Language): string[] {
  const collect = (source: string, into: Set<string>): Set<string> => {
    const entry = manifest[source]
    if (!entry || into.has(entry.file)) return into
    into.add(entry.file)
    for (const imported of entry.imports ?? []) collect(imported, into)
    return into
  }
  const everywhere = collect('index.html', new Set())
  const wanted = collect('start.tsx', new Set())
  collect(`pages/${getPage(page).view}.tsx`, wanted)
  for (const excerpt of ['frame', excerptOf(page)])
    collect(`texts/${excerpt}.${language}.js`, wanted)
  return [...wanted.difference(everywhere)].map((file) => `/${file}`)
}

/** What is written around the rendered pages determines them too. */
function hashFrames(template: string, build: string): string {
  const hash = createHash('sha256').update(build)
  const limit = { count: 0, windowMinutes: 0 }
  for (const { id } of pages) {
    for (const language of LANGUAGES) {
      const { head, tail } = fillTemplate(template, { page: id, language, origin: '', limit })
      hash.update(head).update(tail)
    }
  }
  return hash.digest('base64url')
}

async function hashFolder(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'))
  const hash = createHash('sha256')
  for (const name of names.sort()) hash.update(name).update(await readFile(join(folder, name)))
  return hash.digest('base64url')
}
