import { SECTORS, type Sector } from './constants.ts'
import type { Content, Division } from './content/content.ts'
import { getPage, type PageId, type ViewName } from './pages.ts'
import { FORM_PROBLEMS } from './problems.ts'

/** The pages that travel with the frame: they must be there when nothing more can be loaded. */
type FramePage = 'not-found' | 'server-error'

function sectorTexts({ divisions }: Content, sector: Sector) {
  const { title, meta, headline, intro, reasons, offerings } = divisions.items[sector]
  const { reasonsTitle, offeringsTitle, deliverablesLabel, callToAction, othersTitle } = divisions
  const others = listCards(divisions).filter((card) => card.sector !== sector)
  const own = { title, meta, headline, intro, reasons, offerings, others }
  return { ...own, reasonsTitle, offeringsTitle, deliverablesLabel, callToAction, othersTitle }
}

export type SectorCard = { sector: Sector } & Pick<Division, 'title' | 'summary'>

function listCards({ items }: Content['divisions']): SectorCard[] {
  return SECTORS.map((sector) => {
    const { title, summary } = items[sector]
    return { sector, title, summary }
  })
}

function mapSectors<T>(
  { divisions }: Content,
  take: (item: Content['divisions']['items'][Sector]) => T,
): Record<Sector, T> {
  const { items } = divisions
  return {
    'public-safety': take(items['public-safety']),
    'francophone-services': take(items['francophone-services']),
    'health-safety': take(items['health-safety']),
    'animal-first-aid': take(items['animal-first-aid']),
  }
}

/** A refusal without a text is shown in the server's words. */
function takeFormProblems(problems: Content['errors']['problems']): Partial<typeof problems> {
  return Object.fromEntries(FORM_PROBLEMS.map((code) => [code, problems[code]]))
}

/**
 * What of the texts the browser gets, and with which page: the build makes a file of each excerpt in each
 * language. A page takes its head and headline along, so that the browser can go there.
 */
export const EXCERPTS = {
  frame: ({ brand, nav, footer, privacy, contact, errors }: Content) => ({
    brand,
    nav,
    footer,
    banner: privacy.banner,
    notifications: contact.notifications,
    'not-found': errors.notFound,
    'server-error': errors.serverError,
  }),
  home: (content: Content) => ({
    ...content.hero,
    cards: listCards(content.divisions),
    services: {
      ...content.hero.services,
      items: content.services.items.map(({ title, summary }) => ({ title, summary })),
    },
    facts: content.contact.facts,
  }),
  sectors: (content: Content) => {
    const { meta, headline, intro, explore, tagsLabel } = content.divisions
    const items = mapSectors(content, ({ title, subtitle, description, tags }) => {
      return { title, subtitle, description, tags }
    })
    return { meta, headline, intro, explore, tagsLabel, items }
  },
  'public-safety': (content: Content) => sectorTexts(content, 'public-safety'),
  'francophone-services': (content: Content) => sectorTexts(content, 'francophone-services'),
  'health-safety': (content: Content) => sectorTexts(content, 'health-safety'),
  'animal-first-aid': (content: Content) => sectorTexts(content, 'animal-first-aid'),
  services: ({ services }: Content) => services,
  contact: ({ contact: { notifications: _, ...contact }, errors }: Content) => ({
    ...contact,
    problems: takeFormProblems(errors.problems),
  }),
  privacy: ({ privacy: { banner: _, ...privacy } }: Content) => privacy,
  'error-test': ({ errors }: Content) => errors.test,
} satisfies Record<'frame' | Sector | Exclude<ViewName, FramePage | 'sector'>, unknown>

export type ExcerptName = keyof typeof EXCERPTS
export type Excerpts = { [Name in ExcerptName]: ReturnType<(typeof EXCERPTS)[Name]> }

/** What each view says. */
export type ViewTexts = Pick<Excerpts, Exclude<ViewName, FramePage | 'sector'>> &
  Pick<Excerpts['frame'], FramePage> & { sector: Excerpts[Sector] }

/** The excerpt that a page comes with. */
export function excerptOf(id: PageId): ExcerptName {
  const { view } = getPage(id)
  if (view === 'not-found' || view === 'server-error') return 'frame'
  return view === 'sector' ? (id as Sector) : view
}
