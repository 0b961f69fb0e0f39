import type { Brand, Content } from './content/schema.ts'
import { LANGUAGES, type Language, LOCALES, otherLanguage } from './language.ts'
import { type Page, pathOf, twinOf } from './pages.ts'

export interface HeadTag {
  name: 'title' | 'meta' | 'link'
  attributes: Record<string, string>
  text?: string
}

/** The copy for the head of a page. */
export interface PageWords {
  meta: Content['hero']['meta']
  headline: string
}

export function textsOf(page: Page, content: Content): PageWords {
  switch (page.id) {
    case 'home':
      return content.hero
    case 'sectors':
      return content.divisions
    case 'services':
      return content.services
    case 'contact':
      return content.contact
    case 'privacy-fr':
    case 'privacy-en':
      return content.privacy
    case 'error-test':
      return content.errors.test
    case 'test-404':
    case 'bad-request':
    case 'not-found':
      return content.errors.notFound
    case 'test-500':
    case 'server-error':
      return content.errors.serverError
    default:
      return content.divisions.items[page.id]
  }
}

export function titleOf({ meta }: PageWords, brand: Brand): string {
  return `${meta.title} | ${brand.name}`
}

/** In px; for links in social media. */
export const SHARE_PICTURE = { width: 1200, height: 630 }

export function sharePicturePath(page: Page, language: Language): string {
  return `/share/${page.id}-${language}.png`
}

/** Only the privacy policy has an address in each language; other pages have `?lang=en` in English. */
export function addressOf(page: Page, language: Language, origin: string): string {
  const twin = twinOf(page)
  if (twin) return origin + pathOf(page.language === language ? page.id : twin)
  return origin + pathOf(page.id) + (language === 'en' ? '?lang=en' : '')
}

const meta = (name: string, content: string): HeadTag => ({
  name: 'meta',
  attributes: { name, content },
})
const property = (property: string, content: string): HeadTag => ({
  name: 'meta',
  attributes: { property, content },
})
const link = (attributes: Record<string, string>): HeadTag => ({ name: 'link', attributes })

interface HeadParts {
  page: Page
  language: Language
  words: PageWords
  brand: Brand
  /** The canonical origin. */
  origin: string
}

export function headOf({ page, language, words, brand, origin }: HeadParts): HeadTag[] {
  const title = titleOf(words, brand)
  const { meta: texts, headline } = words
  const tags: HeadTag[] = [
    { name: 'title', attributes: {}, text: title },
    meta('description', texts.description),
  ]
  if (!page.indexed) return [...tags, meta('robots', 'noindex')]
  const address = addressOf(page, language, origin)
  return [
    ...tags,
    link({ rel: 'canonical', href: address }),
    ...LANGUAGES.map((each) =>
      link({ rel: 'alternate', hreflang: each, href: addressOf(page, each, origin) }),
    ),
    link({ rel: 'alternate', hreflang: 'x-default', href: addressOf(page, 'fr', origin) }),
    property('og:type', 'website'),
    property('og:site_name', brand.name),
    property('og:title', title),
    property('og:description', texts.description),
    property('og:url', address),
    property('og:locale', LOCALES[language].replace('-', '_')),
    property('og:locale:alternate', LOCALES[otherLanguage(language)].replace('-', '_')),
    property('og:image', origin + sharePicturePath(page, language)),
    property('og:image:type', 'image/png'),
    property('og:image:width', String(SHARE_PICTURE.width)),
    property('og:image:height', String(SHARE_PICTURE.height)),
    property('og:image:alt', `${headline} – ${brand.name}`),
    meta('twitter:card', 'summary_large_image'),
  ]
}
