import type { Language } from './language.ts'

/** A page of content: in the sitemap, with canonical links and structured data. The path is exact and case-sensitive. */
const content = <View extends string>(path: string, view: View, language?: Language) => ({
  path,
  status: 200,
  indexed: true,
  /** Of the path, if the page has a path for each language. */
  language,
  /** The component that client/app.tsx shows for the page. */
  view,
})

/** A page without a path is shown at any URL. */
const hidden = <View extends string>(status: number, view: View, path?: string) => ({
  path,
  status,
  indexed: false,
  language: undefined,
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
}

export type PageId = keyof typeof PAGES
export type Page = (typeof PAGES)[PageId] & { id: PageId }
export type ViewName = Page['view']

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
