import type { Content, Meta } from './content/content.ts'
import { LANGUAGES, type Language, LOCALES, otherLanguage } from './language.ts'
import { type Page, pathOf, twinOf } from './pages.ts'

export interface HeadTag {
  name: 'title' | 'meta' | 'link'
  attributes: Record<string, string>
  text?: string
}

export function metaOf(page: Page, content: Content): Meta {
  switch (page.id) {
    case 'home':
      return content.hero.meta
    case 'sectors':
      return content.divisions.meta
    case 'services':
      return content.services.meta
    case 'contact':
      return content.contact.meta
    case 'privacy-fr':
    case 'privacy-en':
      return content.privacy.meta
    case 'error-test':
      return content.errors.test.meta
    case 'test-404':
    case 'bad-request':
    case 'not-found':
      return content.errors.notFound.meta
    case 'test-500':
    case 'server-error':
      return content.errors.serverError.meta
    default:
      return content.divisions.items[page.id].meta
  }
}

export function titleOf(page: Page, content: Content): string {
  return `${metaOf(page, content).title} | ${content.brand.name}`
}

/** Where a page stands in a language: twins have an address each, other pages French bare and English with `?lang=en`. */
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

/** The tags of a page in a language; `origin` is the canonical one. */
export function headOf(
  page: Page,
  language: Language,
  content: Content,
  origin: string,
): HeadTag[] {
  const title = titleOf(page, content)
  const { description } = metaOf(page, content)
  const tags: HeadTag[] = [
    { name: 'title', attributes: {}, text: title },
    meta('description', description),
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
    property('og:site_name', content.brand.name),
    property('og:title', title),
    property('og:description', description),
    property('og:url', address),
    property('og:locale', LOCALES[language].replace('-', '_')),
    property('og:locale:alternate', LOCALES[otherLanguage(language)].replace('-', '_')),
  ]
}
