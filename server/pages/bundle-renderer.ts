import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { excerptOf } from '../../shared/page-content.ts'
import type { PageState } from '../../shared/page-state.ts'
import { getPage, type PageId, pages } from '../../shared/pages.ts'
import { completeFrame, createFrame, type Frame, type Scripts } from './html-shell.ts'
import { type Renderer, streamDocument } from './renderer.ts'
import { addIntegrity, readIntegrities } from './subresource-integrity.ts'

/** Renders with the built bundle; `folder` is what `npm run build` made. */
export async function createBundleRenderer(folder: string): Promise<Renderer> {
  const entry = join(folder, 'server/entry-server.js')
  const [template, manifest, build, integrities, { prepare }] = await Promise.all([
    readFile(join(folder, 'client/index.html'), 'utf8'),
    readFile(join(folder, 'client/.vite/manifest.json'), 'utf8').then(JSON.parse),
    hashFolder(join(folder, 'server')),
    readIntegrities(join(folder, 'client')),
    import(pathToFileURL(entry).href),
  ])
  const makeFrame: MakeFrame = (page, language, origin) => {
    const scripts = findScripts(manifest, page, language)
    const { head, tail } = createFrame(template, { page, language, origin }, scripts)
    return { head: addIntegrity(head, integrities), tail: addIntegrity(tail, integrities) }
  }
  const frames = new Map<string, MadeFrame>()
  const frameOf = ({ page, language, origin }: PageState): MadeFrame => {
    const name = `${page} ${language} ${origin}`
    const known = frames.get(name)
    if (known) return known
    const frame = makeFrame(page, language, origin)
    const made = { frame, head: Buffer.from(frame.head) }
    frames.set(name, made)
    return made
  }
  return {
    build: hashFrames(makeFrame, build),
    styleHashes: hashStyles(template),
    async render(state, onError) {
      const made = frameOf(state)
      const { head, tail } = completeFrame(made.frame, state)
      const bytes = head === made.frame.head ? made.head : Buffer.from(head)
      return streamDocument(await prepare(state), { head: bytes, tail }, onError)
    },
  }
}

/** With the bytes of its head, most of what a document is made of. */
interface MadeFrame {
  frame: Frame
  head: Buffer
}

type MakeFrame = (page: PageId, language: Language, origin: string) => Frame

/** Vite's list of what was built: source -> file and the chunks that it imports. */
type Manifest = Record<string, { file: string; imports?: string[] }>

/** What a page runs, and all that this imports for it. */
function findScripts(manifest: Manifest, page: PageId, language: Language): Scripts {
  const files = new Set<string>()
  const collect = (source: string): string => {
    const chunk = manifest[source]
    if (!chunk) throw new Error(`The build has no ${source}`)
    if (!files.has(chunk.file)) {
      files.add(chunk.file)
      for (const imported of chunk.imports ?? []) collect(imported)
    }
    return chunk.file
  }
  const start = collect('entry-client.tsx')
  // The views whose texts are the frame's come with it.
  if (excerptOf(page) !== 'frame') collect(`pages/${getPage(page).view}.tsx`)
  for (const excerpt of ['frame', excerptOf(page)]) collect(`texts/${excerpt}.${language}.js`)
  files.delete(start)
  return { start: `/${start}`, imports: [...files].map((file) => `/${file}`) }
}

function hashStyles(template: string): string[] {
  return [...template.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
}

/** What is written around the rendered pages determines them too. */
function hashFrames(makeFrame: MakeFrame, build: string): string {
  const hash = createHash('sha256').update(build)
  for (const { id } of pages) {
    for (const language of LANGUAGES) {
      const { head, tail } = makeFrame(id, language, '')
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
