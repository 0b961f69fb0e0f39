import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { getContentName } from '../../shared/page-content.ts'
import { getPage, type PageId, pages } from '../../shared/pages.ts'
import type { Renderer } from '../app.ts'
import {
  completeShell,
  createShell,
  readDocument,
  type Scripts,
  type Shell,
  type ShellState,
} from './html-shell.ts'

type BuildShell = (state: ShellState) => Shell

/** Renders with the bundle in `folder`; rejects when its manifest lacks a file of a page. */
export async function createBundleRenderer(folder: string): Promise<Renderer> {
  // client/entry-server.tsx, built.
  const entry = join(folder, 'server/entry-server.js')
  const [template, manifest, code, { render: renderApp }] = await Promise.all([
    readFile(join(folder, 'client/index.html'), 'utf8'),
    readFile(join(folder, 'client/.vite/manifest.json'), 'utf8').then(JSON.parse),
    readFile(entry),
    import(pathToFileURL(entry).href),
  ])
  const buildShell: BuildShell = (state) =>
    createShell(template, state, findScripts(manifest, state.page, state.language))
  return {
    build: hashShells(buildShell, code),
    styleHashes: hashStyles(template),
    async render(state) {
      const shell = completeShell(buildShell(state), state)
      return readDocument(await renderApp(state), shell)
    },
  }
}

/** Vite's manifest: for each source or shared chunk the built file, and the keys of the chunks that it imports. */
type Manifest = Record<string, { file: string; imports?: string[] }>

/** The scripts of a page, with everything that they import statically. */
function findScripts(manifest: Manifest, page: PageId, language: Language): Scripts {
  const files = new Set<string>()
  const collect = (source: string): string => {
    const chunk = manifest[source]
    if (!chunk) throw new Error(`The build has no file for ${source}; run npm run build`)
    if (!files.has(chunk.file)) {
      files.add(chunk.file)
      for (const imported of chunk.imports ?? []) collect(imported)
    }
    return chunk.file
  }
  const start = collect('entry-client.tsx')
  // The error views have no chunk of their own: they are in that of entry-client.tsx.
  if (getContentName(page) !== 'frame') collect(`pages/${getPage(page).view}.tsx`)
  for (const content of ['frame', getContentName(page)]) collect(`texts/${content}.${language}.js`)
  files.delete(start)
  return { start: `/${start}`, imports: [...files].map((file) => `/${file}`) }
}

function hashStyles(template: string): string[] {
  return [...template.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
}

/** Hashes the server's bundle and the shells of all pages. It loads every shell, so a file that the manifest lacks stops the start. */
function hashShells(buildShell: BuildShell, code: Buffer): string {
  const hash = createHash('sha256').update(code)
  for (const { id: page } of pages) {
    for (const language of LANGUAGES) {
      const { head, tail } = buildShell({ page, language, origin: '' })
      hash.update(head).update(tail)
    }
  }
  return hash.digest('base64url')
}
