import { SECTORS } from '../../shared/constants.ts'
import { company } from '../../shared/content/company.ts'
import type { Content } from '../../shared/content/schema.ts'
import { getPageAddress } from '../../shared/head.ts'
import { type Language, LOCALES } from '../../shared/language.ts'
import { getPage, type Page } from '../../shared/pages.ts'

type Node = Record<string, unknown>

interface Place {
  page: Page
  language: Language
  content: Content
  origin: string
}

/** Data of schema.org for search engines; undefined for a page that is not indexed. */
export function findStructuredData(place: Place): Node | undefined {
  if (!place.page.indexed) return undefined
  const graph = [describeFirm(place), ...describeService(place)]
  return { '@context': 'https://schema.org', '@graph': graph }
}

const firmId = (origin: string) => `${origin}/#organization`

function describeFirm({ language, content, origin }: Place): Node {
  const { street, city, province, postalCode } = company.address[language]
  return {
    '@type': 'Organization',
    '@id': firmId(origin),
    name: content.brand.name,
    legalName: company.legalName[language],
    description: content.hero.meta.description,
    url: getPageAddress(getPage('home'), language, origin),
    logo: `${origin}/icon-512.png`,
    telephone: company.phone,
    email: company.email,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street,
      addressLocality: city,
      addressRegion: province,
      postalCode,
      addressCountry: 'CA',
    },
    areaServed: content.brand.region,
    knowsLanguage: Object.values(LOCALES),
    sameAs: Object.values(company.links),
  }
}

/** The service that the page of a sector is about. */
function describeService({ page, content, language, origin }: Place): Node[] {
  const sector = SECTORS.find((each) => each === page.id)
  if (!sector) return []
  const { title, meta } = content.divisions.items[sector]
  const service = {
    '@type': 'Service',
    name: title,
    description: meta.description,
    url: getPageAddress(page, language, origin),
    provider: { '@id': firmId(origin) },
    areaServed: content.brand.region,
    availableLanguage: Object.values(LOCALES),
  }
  return [service]
}
