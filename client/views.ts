import type { ComponentType } from 'react'
import type { PageState } from '../shared/page-state.ts'
import type { PageId } from '../shared/pages.ts'
import { NotFound } from './pages/not-found.tsx'
import { ServerError } from './pages/server-error.tsx'

export interface ViewProps {
  page: PageId
  /** What the server answered with, on the first page of a document. */
  answer?: PageState
}

export type View = ComponentType<ViewProps>

const sector = () => import('./pages/sector.tsx').then(({ SectorPage }) => SectorPage)
const privacy = () => import('./pages/privacy.tsx').then(({ Privacy }) => Privacy)
const notFound = async () => NotFound
const serverError = async () => ServerError

const loaders: Record<PageId, () => Promise<View>> = {
  home: () => import('./pages/home.tsx').then(({ Home }) => Home),
  sectors: () => import('./pages/sectors.tsx').then(({ Sectors }) => Sectors),
  services: () => import('./pages/services.tsx').then(({ Services }) => Services),
  contact: () => import('./pages/contact.tsx').then(({ Contact }) => Contact),
  'public-safety': sector,
  'francophone-services': sector,
  'health-safety': sector,
  'animal-first-aid': sector,
  'privacy-fr': privacy,
  'privacy-en': privacy,
  'test-404': notFound,
  'test-500': serverError,
  'error-test': () => import('./pages/error-test.tsx').then(({ ErrorTest }) => ErrorTest),
  'bad-request': notFound,
  'not-found': notFound,
  'server-error': serverError,
}

const loaded = new Map<PageId, View>()
const loading = new Map<PageId, Promise<View>>()

export function loadView(page: PageId): Promise<View> {
  const pending =
    loading.get(page) ??
    loaders[page]().then((view) => {
      loaded.set(page, view)
      return view
    }, reloadOnce)
  loading.set(page, pending)
  return pending
}

/** The view of a page, at once when it has been loaded. */
export function findView(page: PageId): View | undefined {
  return loaded.get(page)
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
