import { SECTORS } from '../../shared/constants.ts'
import { company } from '../../shared/content/company.ts'
import type { Content } from '../../shared/content/schema.ts'
import { getHeadContent, getPageAddress } from '../../shared/head.ts'
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
  const graph = [describeFirm(place), ...describeServices(place), ...describeTrail(place)]
  return { '@context': 'https://schema.org', '@graph': graph }
}

const firmId = (origin: string) => `${origin}/#organization`

function describeFirm({ language, content, origin }: Place): Node {
  const { street, city, province, postalCode } = company.address[language]
  const { ontario, canada } = company.registrations
  const { footer, brand } = content
  const register = (name: string, value: string) => ({ '@type': 'PropertyValue', name, value })
  return {
    '@type': 'Organization',
    '@id': firmId(origin),
    name: brand.name,
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
    areaServed: brand.region,
    knowsLanguage: Object.values(LOCALES),
    identifier: [
      ...ontario.map((number) => register(footer.ontarioRegistration, number)),
      register(footer.canadaRegistration, canada),
    ],
    sameAs: Object.values(company.links),
  }
}

/** Sectors or services of the page. */
function describeServices({ page, content, language, origin }: Place): Node[] {
  const describe = (name: string, description: string, url: string): Node => ({
    '@type': 'Service',
    name,
    description,
    url,
    provider: { '@id': firmId(origin) },
    areaServed: content.brand.region,
    availableLanguage: Object.values(LOCALES),
  })
  const url = getPageAddress(page, language, origin)
  const sector = SECTORS.find((each) => each === page.id)
  if (sector) {
    const { title, meta, offerings } = content.divisions.items[sector]
    const offers = offerings.map(({ title: name, description }) => ({
      '@type': 'Offer',
      itemOffered: { '@type': 'Service', name, description },
    }))
    const catalog = { '@type': 'OfferCatalog', name: title, itemListElement: offers }
    return [{ ...describe(title, meta.description, url), hasOfferCatalog: catalog }]
  }
  if (page.id === 'sectors') {
    return SECTORS.map((each) => {
      const { title, description } = content.divisions.items[each]
      return describe(title, description, getPageAddress(getPage(each), language, origin))
    })
  }
  if (page.id !== 'home' && page.id !== 'services') return []
  const services = getPageAddress(getPage('services'), language, origin)
  return content.services.items.map(({ title, summary }) => describe(title, summary, services))
}

/** Breadcrumbs from the home page. */
function describeTrail({ page, language, content, origin }: Place): Node[] {
  if (page.id === 'home') return []
  const between = SECTORS.some((each) => each === page.id) ? [getPage('sectors')] : []
  const steps = [
    { name: content.nav.home, page: getPage('home') },
    ...[...between, page].map((step) => ({
      name: getHeadContent(step, content).meta.title,
      page: step,
    })),
  ]
  const itemListElement = steps.map((step, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: step.name,
    item: getPageAddress(step.page, language, origin),
  }))
  return [{ '@type': 'BreadcrumbList', itemListElement }]
}
