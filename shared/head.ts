import type { Content } from './content/index.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, LOCALES } from './language.ts'
import { getPath, getTwin, type Page, type ViewName } from './pages.ts'
import { isSector } from './sectors.ts'

export interface HeadTag {
  name: 'title' | 'meta' | 'link'
  attributes: Record<string, string>
  text?: string
}

type Meta = Content['hero']['meta']

const META: Record<ViewName, (content: Content) => { meta: Meta }> = {
  home: ({ hero }) => hero,
  sectors: ({ divisions }) => divisions,
  services: ({ services }) => services,
  contact: ({ contact }) => contact,
  sector: ({ divisions }) => divisions,
  privacy: ({ privacy }) => privacy,
  'error-test': ({ errors }) => errors.test,
  'not-found': ({ errors }) => errors.notFound,
  'server-error': ({ errors }) => errors.serverError,
}

/** The title and the description of a page. */
function getMeta({ id, view }: Page, content: Content): Meta {
  const { meta } = isSector(id) ? content.divisions.items[id] : META[view](content)
  return meta
}

export function getTitle(page: Page, content: Content): string {
  return `${getMeta(page, content).title} | ${content.brand.name}`
}

/** The picture that social networks show beside a link to a page. Its size is in px. */
export const SHARE_PICTURE = { fr: '/share-fr.png', en: '/share-en.png', width: 1200, height: 630 }

/** Only the privacy policy has a path for each language; the other pages have `?lang=`, except in the default language. */
export function getPageUrl(page: Page, language: Language, origin: string): string {
  const query = language === DEFAULT_LANGUAGE || page.language ? '' : `?lang=${language}`
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

interface HeadData {
  page: Page
  language: Language
  content: Content
  /** The canonical origin, such as `https://www.example.ca`. */
  origin: string
}

export function getHeadTags({ page, language, content, origin }: HeadData): HeadTag[] {
  const { brand } = content
  const title = getTitle(page, content)
  const { description } = getMeta(page, content)
  const tags: HeadTag[] = [
    { name: 'title', attributes: {}, text: title },
    meta('description', description),
  ]
  if (!page.indexed) return [...tags, meta('robots', 'noindex')]
  const getUrl = (each: Language) => getPageUrl(page, each, origin)
  return [
    ...tags,
    link({ rel: 'canonical', href: getUrl(language) }),
    ...LANGUAGES.map((each) => link({ rel: 'alternate', hreflang: each, href: getUrl(each) })),
    link({ rel: 'alternate', hreflang: 'x-default', href: getUrl(DEFAULT_LANGUAGE) }),
    property('og:type', 'website'),
    property('og:site_name', brand.name),
    property('og:title', title),
    property('og:description', description),
    property('og:url', getUrl(language)),
    property('og:locale', LOCALES[language].replace('-', '_')),
    ...LANGUAGES.filter((each) => each !== language).map((each) =>
      property('og:locale:alternate', LOCALES[each].replace('-', '_')),
    ),
    property('og:image', origin + SHARE_PICTURE[language]),
    property('og:image:type', 'image/png'),
    property('og:image:width', String(SHARE_PICTURE.width)),
    property('og:image:height', String(SHARE_PICTURE.height)),
    property('og:image:alt', `${brand.name} – ${brand.tagline}`),
    meta('twitter:card', 'summary_large_image'),
  ]
}
