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

const loaded = new Map<ViewName, View>()
const loading = new Map<ViewName, Promise<View>>()

export function loadView(page: PageId): Promise<View> {
  const { view } = getPage(page)
  const pending =
    loading.get(view) ??
    loaders[view]().then((component) => {
      loaded.set(view, component)
      return component
    }, reloadOnce)
  loading.set(view, pending)
  return pending
}

/** The view of a page, at once when it has been loaded. */
export function findView(page: PageId): View | undefined {
  return loaded.get(getPage(page).view)
}

/** A newer build has removed the chunk, or the line is down: the server has the page, so go there, once. */
function reloadOnce(error: unknown): Promise<never> | never {
  const key = 'reloaded'
  const { href } = window.location
  if (sessionStorage.getItem(key) === href) throw error
  sessionStorage.setItem(key, href)
  window.location.reload()
  return new Promise(() => {})
}
