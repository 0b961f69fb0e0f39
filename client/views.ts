import type { ComponentType } from 'react'
import type { PageState } from '../shared/page-state.ts'
import { getPage, type PageId, type ViewName } from '../shared/pages.ts'
import { NotFound } from './pages/not-found.tsx'
import { ServerError } from './pages/server-error.tsx'

export interface ViewProps {
  page: PageId
  /** What the server answered with, on the first page of a document. */
  answer?: PageState
}

export type View = ComponentType<ViewProps>

const loaders: Record<ViewName, () => Promise<View>> = {
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

/** Where sessionStorage says for which address the document has been loaded anew. */
const RELOADED = 'reloaded'

const loaded = new Map<ViewName, View>()
const loading = new Map<ViewName, Promise<View>>()

export function loadView(page: PageId): Promise<View> {
  const { view } = getPage(page)
  const pending = loading.get(view) ?? loaders[view]().then((component) => keep(view, component))
  loading.set(view, pending)
  return pending.catch((error) => {
    loading.delete(view)
    return reloadOnce(error)
  })
}

function keep(view: ViewName, component: View): View {
  loaded.set(view, component)
  try {
    sessionStorage.removeItem(RELOADED)
  } catch {
    // There is none on the server, and it may be forbidden.
  }
  return component
}

/** The view of a page, at once when it has been loaded. */
export function findView(page: PageId): View | undefined {
  return loaded.get(getPage(page).view)
}

/** A newer build has removed the chunk, or the line is down: the server has the page, so go there, once. */
function reloadOnce(error: unknown): Promise<never> {
  const { href } = window.location
  try {
    if (sessionStorage.getItem(RELOADED) === href) throw error
    sessionStorage.setItem(RELOADED, href)
  } catch {
    throw error
  }
  window.location.reload()
  return new Promise(() => {})
}
