import type { Brand, Content } from './content/index.ts'
import { LANGUAGES, type Language, LOCALES, otherLanguage } from './language.ts'
import { getPath, getTwin, type Page } from './pages.ts'

export interface HeadTag {
  name: 'title' | 'meta' | 'link'
  attributes: Record<string, string>
  text?: string
}

interface HeadContent {
  meta: Content['hero']['meta']
}

export function getTitle({ meta }: HeadContent, brand: Brand): string {
  return `${meta.title} | ${brand.name}`
}

/** The picture that social networks show beside a link to a page. Its size is in px. */
export const SHARE_PICTURE = { fr: '/share-fr.png', en: '/share-en.png', width: 1200, height: 630 }

/** Only the privacy policy has a path for each language; the other pages have `?lang=en` in English. */
export function getPageAddress(page: Page, language: Language, origin: string): string {
  const query = language === 'en' && !page.language ? '?lang=en' : ''
  return origin + getPath(getTwin(page, language)) + query
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
  headContent: HeadContent
  brand: Brand
  /** The canonical origin, such as `https://www.example.ca`. */
  origin: string
}

export function getHeadTags({ page, language, headContent, brand, origin }: HeadParts): HeadTag[] {
  const title = getTitle(headContent, brand)
  const { meta: texts } = headContent
  const tags: HeadTag[] = [
    { name: 'title', attributes: {}, text: title },
    meta('description', texts.description),
  ]
  if (!page.indexed) return [...tags, meta('robots', 'noindex')]
  const address = getPageAddress(page, language, origin)
  return [
    ...tags,
    link({ rel: 'canonical', href: address }),
    ...LANGUAGES.map((each) =>
      link({ rel: 'alternate', hreflang: each, href: getPageAddress(page, each, origin) }),
    ),
    link({ rel: 'alternate', hreflang: 'x-default', href: getPageAddress(page, 'fr', origin) }),
    property('og:type', 'website'),
    property('og:site_name', brand.name),
    property('og:title', title),
    property('og:description', texts.description),
    property('og:url', address),
    property('og:locale', LOCALES[language].replace('-', '_')),
    property('og:locale:alternate', LOCALES[otherLanguage(language)].replace('-', '_')),
    property('og:image', origin + SHARE_PICTURE[language]),
    property('og:image:type', 'image/png'),
    property('og:image:width', String(SHARE_PICTURE.width)),
    property('og:image:height', String(SHARE_PICTURE.height)),
    property('og:image:alt', `${brand.name} – ${brand.tagline}`),
    meta('twitter:card', 'summary_large_image'),
  ]
}
