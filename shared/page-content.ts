import { SECTORS, type Sector } from './constants.ts'
import type { Content } from './content/index.ts'
import { getPage, type Page, type PageId, type ViewName } from './pages.ts'

/** The error views. Their texts are loaded together with `frame`, so that these views need no further load. */
type FrameView = 'not-found' | 'server-error'

export function isFrameView(view: ViewName): view is FrameView {
  return view === 'not-found' || view === 'server-error'
}

function getSectorContent({ divisions }: Content, other: Content, sector: Sector) {
  const { title, meta, headline, intro, reasons, offerings } = divisions.items[sector]
  const { reasonsTitle, offeringsTitle, deliverablesLabel, callToAction, othersTitle } = divisions
  const others = listCards(divisions).filter((card) => card.sector !== sector)
  const otherHeadline = other.divisions.items[sector].headline
  const own = { title, meta, headline, otherHeadline, intro, reasons, offerings, others }
  return { ...own, reasonsTitle, offeringsTitle, deliverablesLabel, callToAction, othersTitle }
}

function listCards({ items }: Content['divisions']) {
  return SECTORS.map((sector) => {
    const { title, summary } = items[sector]
    return { sector, title, summary }
  })
}

function getPhoneFacts({ phone, email, hours, hoursValue }: Content['contact']['facts']) {
  return { phone, email, hours, hoursValue }
}

/**
 * Content that the browser loads: the build makes one file for each name and language. Each page needs `frame`.
 * `other` is the content of the other language: each page also shows its headline in that language.
 */
export const PAGE_CONTENT = {
  frame: (
    { brand, nav, divisions, footer, privacy, contact, errors }: Content,
    other: Content,
  ) => ({
    brand,
    otherName: other.brand.name,
    nav,
    sectors: SECTORS.map((sector) => ({ sector, title: divisions.items[sector].title })),
    footer,
    banner: privacy.banner,
    notifications: contact.notifications,
    'not-found': { ...errors.notFound, otherHeadline: other.errors.notFound.headline },
    'server-error': { ...errors.serverError, otherHeadline: other.errors.serverError.headline },
  }),
  home: (content: Content, other: Content) => ({
    ...content.hero,
    otherHeadline: other.hero.headline,
    cards: listCards(content.divisions),
    services: {
      ...content.hero.services,
      items: content.services.items.map(({ title, summary }) => ({ title, summary })),
    },
    facts: getPhoneFacts(content.contact.facts),
  }),
  sectors: ({ divisions }: Content, other: Content) => {
    const { meta, headline, intro, explore, tagsLabel } = divisions
    const items = SECTORS.map((sector) => {
      const { title, subtitle, description, tags } = divisions.items[sector]
      return { sector, title, subtitle, description, tags }
    })
    const otherHeadline = other.divisions.headline
    return { meta, headline, otherHeadline, intro, explore, tagsLabel, items }
  },
  'public-safety': (content: Content, other: Content) =>
    getSectorContent(content, other, 'public-safety'),
  'francophone-services': (content: Content, other: Content) =>
    getSectorContent(content, other, 'francophone-services'),
  'health-safety': (content: Content, other: Content) =>
    getSectorContent(content, other, 'health-safety'),
  'animal-first-aid': (content: Content, other: Content) =>
    getSectorContent(content, other, 'animal-first-aid'),
  services: ({ services }: Content, other: Content) => ({
    ...services,
    otherHeadline: other.services.headline,
  }),
  contact: (
    { contact: { notifications: _, ...contact }, errors, hero }: Content,
    other: Content,
  ) => ({
    ...contact,
    action: hero.contact.action,
    otherHeadline: other.contact.headline,
    problems: errors.problems,
  }),
  privacy: ({ privacy: { banner: _, ...privacy } }: Content, other: Content) => ({
    ...privacy,
    otherHeadline: other.privacy.headline,
  }),
  'error-test': ({ errors }: Content, other: Content) => ({
    ...errors.test,
    otherHeadline: other.errors.test.headline,
  }),
} satisfies Record<'frame' | Sector | Exclude<ViewName, FrameView | 'sector'>, unknown>

export type ContentName = keyof typeof PAGE_CONTENT
export type PageContent = { [Name in ContentName]: ReturnType<(typeof PAGE_CONTENT)[Name]> }

export type ViewContent = Pick<PageContent, Exclude<ViewName, FrameView | 'sector'>> &
  Pick<PageContent['frame'], FrameView> & { sector: PageContent[Sector] }

export function getContentName(id: PageId): ContentName {
  const { view } = getPage(id)
  if (isFrameView(view)) return 'frame'
  return view === 'sector' ? (id as Sector) : view
}

/** The texts of a page, for its head on the server. */
export function getPageContent({ id, view }: Page, content: Content, other: Content) {
  const texts = PAGE_CONTENT[getContentName(id)](content, other)
  return 'meta' in texts ? texts : texts[view as FrameView]
}
