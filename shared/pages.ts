import type { Language } from './language.ts'

export type ViewName =
  | 'home'
  | 'sectors'
  | 'services'
  | 'contact'
  | 'sector'
  | 'privacy'
  | 'error-test'
  | 'not-found'
  | 'server-error'

interface PageRow {
  /** The exact, case-sensitive path. Only error pages lack it: they are shown at any URL. */
  path?: string
  status: number
  /** True if the page is in the sitemap and has canonical links and structured data. */
  indexed: boolean
  /** Language of the path, if the page has a path for each language. */
  language?: Language
  /** The component that client/page-loader.ts loads for the page. */
  view: ViewName
}

const content = (path: string, view: ViewName, language?: Language): PageRow => ({
  path,
  status: 200,
  indexed: true,
  language,
  view,
})

const hidden = (status: number, view: ViewName, path?: string): PageRow => ({
  path,
  status,
  indexed: false,
  view,
})

const PAGES = {
  home: content('/', 'home'),
  sectors: content('/secteurs-activite', 'sectors'),
  services: content('/services', 'services'),
  contact: content('/contact', 'contact'),
  'public-safety': content('/public-safety', 'sector'),
  'francophone-services': content('/francophone-services', 'sector'),
  'health-safety': content('/health-safety', 'sector'),
  'animal-first-aid': content('/animal-first-aid', 'sector'),
  'privacy-fr': content('/politique-confidentialite', 'privacy', 'fr'),
  'privacy-en': content('/privacy-policy', 'privacy', 'en'),
  'test-404': hidden(404, 'not-found', '/test-404'),
  'test-500': hidden(500, 'server-error', '/test-500'),
  'error-test': hidden(200, 'error-test', '/error-test'),
  'bad-request': hidden(400, 'not-found'),
  'not-found': hidden(404, 'not-found'),
  'server-error': hidden(500, 'server-error'),
} satisfies Record<string, PageRow>

export type PageId = keyof typeof PAGES
export type Page = PageRow & { id: PageId }

export const pages: readonly Page[] = Object.entries(PAGES).map(([id, page]) => ({
  ...page,
  id: id as PageId,
}))

export function getPage(id: PageId): Page {
  return { ...PAGES[id], id }
}

export function findPage(path: string): Page | undefined {
  return pages.find((page) => page.path === path)
}

export function getPath(id: PageId): string {
  const { path } = getPage(id)
  if (!path) throw new Error(`The page ${id} has no path`)
  return path
}

export function getPrivacyPage(language: Language): PageId {
  return `privacy-${language}`
}

/** The same page in a language. A page of one language has a twin with the same view, as the privacy policy has. */
export function getTwin({ id, view, language: own }: Page, language: Language): PageId {
  const twin = own && pages.find((page) => page.view === view && page.language === language)
  return twin?.id ?? id
}
