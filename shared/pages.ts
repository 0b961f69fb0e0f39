import type { Language } from './language.ts'

interface PageRow {
  /** Exact and case-sensitive; a page without a path answers for others. */
  path?: string
  status: number
  /** Listed in the sitemap, and described to search engines. */
  indexed: boolean
  /** The language that the path itself speaks. */
  language?: Language
}

const row = (path: string, extra: Partial<PageRow> = {}): PageRow => ({
  path,
  status: 200,
  indexed: true,
  ...extra,
})

const PAGES = {
  home: row('/'),
  sectors: row('/secteurs-activite'),
  services: row('/services'),
  contact: row('/contact'),
  'public-safety': row('/public-safety'),
  'francophone-services': row('/francophone-services'),
  'health-safety': row('/health-safety'),
  'animal-first-aid': row('/animal-first-aid'),
  'privacy-fr': row('/politique-confidentialite', { language: 'fr' }),
  'privacy-en': row('/privacy-policy', { language: 'en' }),
  'test-404': row('/test-404', { status: 404, indexed: false }),
  'test-500': row('/test-500', { status: 500, indexed: false }),
  'error-test': row('/error-test', { indexed: false }),
  'bad-request': { status: 400, indexed: false },
  'not-found': { status: 404, indexed: false },
  'server-error': { status: 500, indexed: false },
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

const byPath = new Map(pages.map((page) => [page.path, page]))

export function findPage(path: string): Page | undefined {
  return byPath.get(path)
}

/** The address of a page that has one. */
export function pathOf(id: PageId): string {
  const { path } = getPage(id)
  if (!path) throw new Error(`The page ${id} has no path`)
  return path
}

export function privacyPage(language: Language): PageId {
  return language === 'fr' ? 'privacy-fr' : 'privacy-en'
}

/** The page that says the same in the other language, where it has an address of its own. */
export function twinOf(page: Page): PageId | undefined {
  return page.language && privacyPage(page.language === 'fr' ? 'en' : 'fr')
}
