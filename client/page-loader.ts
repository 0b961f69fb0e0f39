import { excerpts } from 'virtual:texts'
import type { ComponentType } from 'react'
import type { Language } from '../shared/language.ts'
import { type Excerpts, excerptOf, type ViewTexts } from '../shared/page-content.ts'
import type { PageState } from '../shared/page-state.ts'
import { getPage, type PageId, type ViewName } from '../shared/pages.ts'
import { NotFound } from './pages/not-found.tsx'
import { ServerError } from './pages/server-error.tsx'
import { reloadOnce } from './stale-chunk.ts'

export interface ViewProps<Name extends ViewName> {
  page: PageId
  texts: ViewTexts[Name]
  /** What the server answered with, on the first page of a document. */
  answer?: PageState
}

type Views = { [Name in ViewName]: ComponentType<ViewProps<Name>> }

/** A page that can be shown at once. */
export interface LoadedPage {
  View: ComponentType<ViewProps<ViewName>>
  texts: ViewTexts[ViewName]
}

export type FrameTexts = Excerpts['frame']

const views: { [Name in ViewName]: () => Promise<Views[Name]> } = {
  home: () => import('./pages/home.tsx').then(({ Home }) => Home),
  sectors: () => import('./pages/sectors.tsx').then(({ Sectors }) => Sectors),
  services: () => import('./pages/services.tsx').then(({ Services }) => Services),
  contact: () => import('./pages/contact.tsx').then(({ Contact }) => Contact),
  sector: () => import('./pages/sector.tsx').then(({ SectorPage }) => SectorPage),
  privacy: () => import('./pages/privacy.tsx').then(({ Privacy }) => Privacy),
  'error-test': () => import('./pages/error-test.tsx').then(({ ErrorTest }) => ErrorTest),
  'not-found': async () => NotFound,
  'server-error': async () => ServerError,
}

const loaded = new Map<string, LoadedPage>()
const loading = new Map<string, Promise<LoadedPage>>()
const visits = new Map<string, Promise<LoadedPage>>()

const nameOf = (id: PageId, language: Language) => `${id} ${language}`

/** The texts around every page, and a page for when nothing more can be loaded. Rejects when they cannot be. */
export async function loadFrame(language: Language): Promise<FrameTexts> {
  const [{ default: texts }] = await Promise.all([
    excerpts.frame[language](),
    loadPage('server-error', language),
  ])
  return texts
}

async function fetchPage(id: PageId, language: Language): Promise<LoadedPage> {
  const { view } = getPage(id)
  const excerpt = excerpts[excerptOf(id)][language]
  const [View, { default: texts }] = await Promise.all([views[view](), excerpt()])
  const own = 'brand' in texts ? texts[view as keyof typeof texts] : texts
  return { View, texts: own } as LoadedPage
}

/** Loads a page in a language. Rejects when that fails, and tries anew when it is called again. */
export function loadPage(id: PageId, language: Language): Promise<LoadedPage> {
  const name = nameOf(id, language)
  const known = loading.get(name)
  if (known) return known
  const pending = fetchPage(id, language)
  loading.set(name, pending)
  pending.then(
    (page) => loaded.set(name, page),
    () => loading.delete(name),
  )
  return pending
}

/** A page, at once when it has been loaded. */
export function findPage(id: PageId, language: Language): LoadedPage | undefined {
  return loaded.get(nameOf(id, language))
}

/** The same promise for each rendering, as `use` needs it, of a page that is worth loading the document anew for. */
export function visitPage(id: PageId, language: Language): Promise<LoadedPage> {
  const name = nameOf(id, language)
  const visit = visits.get(name) ?? reloadOnce(loadPage(id, language))
  visits.set(name, visit)
  return visit
}

/** Lets a page that failed be loaded anew; while its failure is being rendered, `use` needs the promise that says so. */
export function forgetVisit(id: PageId, language: Language): void {
  visits.delete(nameOf(id, language))
}
