import { company } from '../../shared/content/company.ts'
import type { Content } from '../../shared/content/types.ts'
import { getPageAddress } from '../../shared/head.ts'
import { type Language, LOCALES } from '../../shared/language.ts'
import { getPage, type Page } from '../../shared/pages.ts'

interface Place {
  page: Page
  language: Language
  content: Content
  origin: string
}

/** The firm in the terms of schema.org, for search engines; undefined for a page that is not indexed. */
export function findStructuredData({ page, language, content, origin }: Place) {
  if (!page.indexed) return undefined
  const { street, city, province, postalCode } = company.address[language]
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
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
