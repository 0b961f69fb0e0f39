import type { Content } from './content/index.ts'
import { mapKeys } from './format.ts'
import { getPage, type Page, type PageId, type ViewName } from './pages.ts'
import { SECTORS, SERVICE_OF_SECTOR, type Sector } from './sectors.ts'

/** The error views. Their texts are in `frame`, because they must work when nothing more can be loaded. */
type FrameView = 'not-found' | 'server-error'

export function isFrameView(view: ViewName): view is FrameView {
  return view === 'not-found' || view === 'server-error'
}

const createSector =
  (sector: Sector) =>
  ({ divisions }: Content) => {
    const { title, meta, headline, intro, reasons, offerings } = divisions.items[sector]
    const { reasonsTitle, offeringsTitle, deliverablesLabel, callToAction, othersTitle } = divisions
    const others = listCards(divisions).filter((card) => card.sector !== sector)
    const own = { title, meta, headline, intro, reasons, offerings, others }
    return { ...own, reasonsTitle, offeringsTitle, deliverablesLabel, callToAction, othersTitle }
  }

function listCards({ items }: Content['divisions']) {
  return SECTORS.map((sector) => {
    const { title, summary } = items[sector]
    return { sector, title, summary }
  })
}

/** Content that the browser loads: the build makes one file for each name and language. Each page needs `frame`. */
export const PAGE_CONTENT = {
  frame: (content: Content, other: Content) => ({
    brand: content.brand,
    otherName: other.brand.name,
    nav: content.nav,
    sectors: listCards(content.divisions).map(({ sector, title }) => ({
      sector,
      title,
      service: SERVICE_OF_SECTOR[sector],
    })),
    footer: content.footer,
    banner: content.privacy.banner,
    notifications: content.contact.notifications,
    'not-found': content.errors.notFound,
    'server-error': content.errors.serverError,
  }),
  home: ({ hero, divisions, services }: Content, other: Content) => ({
    ...hero,
    otherHeadline: other.hero.headline,
    cards: listCards(divisions),
    services: {
      ...hero.services,
      items: services.items.map(({ title, summary }) => ({ title, summary })),
    },
  }),
  sectors: ({ divisions }: Content) => {
    const { meta, headline, intro, explore, tagsLabel } = divisions
    const items = SECTORS.map((sector) => {
      const { title, subtitle, description, tags } = divisions.items[sector]
      return { sector, title, subtitle, description, tags }
    })
    return { meta, headline, intro, explore, tagsLabel, items }
  },
  ...mapKeys(SECTORS, createSector),
  services: ({ services }: Content) => services,
  contact: ({ contact: { notifications: _, ...contact }, errors }: Content) => ({
    ...contact,
    problems: errors.problems,
  }),
  privacy: ({ privacy: { banner: _, ...privacy } }: Content) => privacy,
  'error-test': ({ errors }: Content) => errors.test,
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
