// tools/vite/content-chunks.ts makes `virtual:page-content`.
import { pageContent } from 'virtual:page-content'
import type { ComponentType } from 'react'
import type { Language } from '../shared/language.ts'
import { getContentName, isFrameView, type ViewContent } from '../shared/page-content.ts'
import { findPage, getPage, type PageId, type ViewName } from '../shared/pages.ts'
import { hasVisitorText } from './form/visitor-text.ts'
import type { FrameContent, ViewProps } from './frame/site-context.ts'
import { NotFound, ServerError } from './pages/errors.tsx'

interface LoadedPage {
  View: ComponentType<ViewProps<ViewName>>
  texts: ViewContent[ViewName]
}

const views: { [Name in ViewName]: () => Promise<ComponentType<ViewProps<Name>>> } = {
  home: () => import('./pages/home.tsx').then((page) => page.Home),
  sectors: () => import('./pages/sectors.tsx').then((page) => page.Sectors),
  services: () => import('./pages/services.tsx').then((page) => page.Services),
  contact: () => import('./pages/contact.tsx').then((page) => page.Contact),
  sector: () => import('./pages/sector.tsx').then((page) => page.SectorPage),
  privacy: () => import('./pages/privacy.tsx').then((page) => page.Privacy),
  'error-test': () => import('./pages/error-test.tsx').then((page) => page.ErrorTest),
  'not-found': async () => NotFound,
  'server-error': async () => ServerError,
}

const loadedPages = new Map<string, LoadedPage>()

/** The loads that React's `use` waits for: it needs the same promise at each rendering, even a failed one until
 * app.tsx has shown its error. */
const awaitedLoads = new Map<string, Promise<LoadedPage>>()

/** Equal for the privacy pages of both languages, so that a change of the language needs no second load. */
const getKey = (id: PageId, language: Language) =>
  [getPage(id).view, getContentName(id), language].join(' ')

/** Loads the texts of the frame, and the page `server-error`, which must work when later loads fail. */
export async function loadFrame(language: Language): Promise<FrameContent> {
  const [{ default: texts }] = await Promise.all([
    pageContent.frame[language](),
    loadPage('server-error', language),
  ])
  return texts
}

/** Returns the loaded page, or the promise for React's `use`. */
export function getPageOrLoad(id: PageId, language: Language): LoadedPage | Promise<LoadedPage> {
  const page = findLoadedPage(id, language)
  if (page) return page
  const key = getKey(id, language)
  const load = awaitedLoads.get(key) ?? loadOrReload(id, language)
  awaitedLoads.set(key, load)
  return load
}

async function loadOrReload(id: PageId, language: Language): Promise<LoadedPage> {
  const key = getKey(id, language)
  try {
    return await loadPage(id, language)
  } catch (error) {
    // The URL is already that of the new page. If this throws, `fail` in app.tsx forgets the load once the error is shown.
    const page = findPage(window.location.pathname)
    if (page && getKey(page.id, language) === key) return reloadOrThrow(error)
    // Meanwhile, the visitor has opened another page.
    awaitedLoads.delete(key)
    throw error
  }
}

/** Loads a page in a language. After a failure, a later call tries again, unless the browser cached the failure. */
export async function loadPage(id: PageId, language: Language): Promise<LoadedPage> {
  const loaded = findLoadedPage(id, language)
  if (loaded) return loaded
  const { view } = getPage(id)
  const load = pageContent[getContentName(id)][language]
  const [View, { default: content }] = await Promise.all([views[view](), load()])
  const texts = isFrameView(view) ? (await pageContent.frame[language]()).default[view] : content
  const page = { View, texts } as LoadedPage
  loadedPages.set(getKey(id, language), page)
  return page
}

export function findLoadedPage(id: PageId, language: Language): LoadedPage | undefined {
  return loadedPages.get(getKey(id, language))
}

/** A newer build may have removed a chunk: reloads the document. Throws the error if text of the visitor would be lost. */
export function reloadOrThrow(error: unknown): Promise<never> {
  if (hasVisitorText()) throw error
  window.location.reload()
  return new Promise(() => {})
}

/** Call this only after the error is shown: the next rendering loads the page again. */
export function forgetFailedLoad(id: PageId, language: Language): void {
  awaitedLoads.delete(getKey(id, language))
}
