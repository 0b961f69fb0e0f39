import { company } from '../shared/content/company.ts'
import { CONTENT } from '../shared/content/index.ts'
import { getHeadTags, type HeadTag } from '../shared/head.ts'
import { type Language, LOCALES, otherLanguage } from '../shared/language.ts'
import type { PageState } from '../shared/page-state.ts'
import { getPage, type Page } from '../shared/pages.ts'

// Only entry-server.tsx imports this file: it contains the texts of both languages.

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

function writeTag({ name, attributes, text }: HeadTag): string {
  if (name === 'title') return `<title>${escapeHtml(text ?? '')}</title>`
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name}${pairs.join('')} data-head>`
}

/** Escapes `<`, so that no value can end the script element. */
export function writeData(data: unknown, attributes: string): string {
  const json = JSON.stringify(data).replace(/</g, '\\u003c')
  return `<script ${attributes}>${json}</script>`
}

/** The firm in the terms of schema.org, for search engines. */
function describeFirm(page: Page, language: Language, origin: string) {
  const content = CONTENT[language]
  const firm = {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    // All pages describe the same firm under this `@id`, so both its names, and one address.
    name: content.brand.name,
    alternateName: CONTENT[otherLanguage(language)].brand.name,
    url: `${origin}/`,
  }
  // This document is the longest, and must fit into 14 kB when compressed; the home page has the rest under this `@id`.
  if (page.view === 'privacy') return firm
  const { street, city, province, postalCode } = company.address[language]
  return {
    ...firm,
    legalName: company.legalName[language],
    description: content.hero.meta.description,
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
    sameAs: Object.values(company.links).filter(Boolean),
  }
}

/** The tags of a page for `<head>`. If the form was refused, the title begins with the word for an error. */
export function writeHead(state: PageState): string {
  const { language, origin, contact } = state
  const page = getPage(state.page)
  const content = CONTENT[language]
  const prefix = contact?.refusal ? `${content.contact.form.errorPrefix} ` : ''
  const tags = getHeadTags({ page, language, content, origin }).map((tag) =>
    tag.name === 'title' ? { ...tag, text: prefix + tag.text } : tag,
  )
  const firm =
    page.indexed &&
    writeData(describeFirm(page, language, origin), 'type="application/ld+json" data-head')
  return [...tags.map(writeTag), firm || ''].join('')
}
