import { PassThrough, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { company } from '../../shared/content/company.ts'
import { CONTENT } from '../../shared/content/index.ts'
import { getHeadTags, type HeadTag } from '../../shared/head.ts'
import { type Language, LOCALES, otherLanguage } from '../../shared/language.ts'
import { getPageContent } from '../../shared/page-content.ts'
import type { PageState } from '../../shared/page-state.ts'
import { getPage, type Page } from '../../shared/pages.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

function writeTag({ name, attributes, text }: HeadTag): string {
  if (name === 'title') return `<title>${escapeHtml(text ?? '')}</title>`
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name}${pairs.join('')} data-head>`
}

/** Escapes `<`, so that no value can end the script element. */
function writeData(data: unknown, attributes: string): string {
  const json = JSON.stringify(data).replace(/</g, '\\u003c')
  return `<script ${attributes}>${json}</script>`
}

export interface Scripts {
  start: string
  imports: string[]
}

const MANIFEST = '<link rel="manifest" href="/site.webmanifest">'
// tools/vite/build-output.ts puts the first screen's styles into the shell, and this link to the rest last.
const LATER_STYLES = /<link rel="stylesheet"[^>]*>/

/** client/boot.ts inserts the template later, so that its files do not delay the first paint. */
function writeLater({ start, imports }: Scripts, styles: string): string {
  const preloads = [start, ...imports].map((href) => `<link rel="modulepreload" href="${href}">`)
  const script = `<script type="module" src="${start}"></script>`
  const held = styles + MANIFEST + preloads.join('') + script
  return `<template id="after-paint">${held}</template><noscript>${styles}</noscript>`
}

/** The firm in the terms of schema.org, for search engines; undefined for a page that is not indexed. */
function findStructuredData(page: Page, language: Language, origin: string) {
  if (!page.indexed) return undefined
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

export interface Shell {
  head: string
  tail: string
}

export type ShellState = Pick<PageState, 'page' | 'language' | 'origin'>

const STATE = '<!--state-->'

/** Fills in the built client/index.html and splits it at the place of the page. completeShell adds the state. */
export function createShell(template: string, state: ShellState, scripts: Scripts): Shell {
  const { language, origin } = state
  const page = getPage(state.page)
  const content = CONTENT[language]
  const headContent = getPageContent(page, content, CONTENT[otherLanguage(language)])
  const tags = getHeadTags({ page, language, headContent, brand: content.brand, origin }).map(
    writeTag,
  )
  const data = findStructuredData(page, language, origin)
  if (data) tags.push(writeData(data, 'type="application/ld+json" data-head'))
  const [before = '', after = ''] = template.split('<!--app-->')
  const head = before
    .replace(/<html lang="[^"]*"/, `<html lang="${LOCALES[language]}"`)
    .replace('<!--head-->', () => tags.join(''))
  // In development, Vite inserts all styles.
  const [styles = ''] = LATER_STYLES.exec(after) ?? []
  // The mark of the state stays: completeShell replaces it for each request.
  const later = STATE + writeLater(scripts, styles)
  return { head, tail: after.replace(styles, '').replace(STATE, () => later) }
}

/** Adds the state for hydration. If the form was refused, also marks the title as an error. */
export function completeShell({ head, tail }: Shell, state: PageState): Shell {
  const { errorPrefix } = CONTENT[state.language].contact.form
  return {
    head: state.contact?.refusal
      ? head.replace('<title>', () => `<title>${escapeHtml(errorPrefix)} `)
      : head,
    tail: tail.replace(STATE, () => writeData(state, 'type="application/json" id="state"')),
  }
}

/** Reads the stream of React to its end, and puts it between the head and the tail. */
export async function readDocument(
  pipe: (destination: Writable) => void,
  { head, tail }: Shell,
): Promise<string> {
  const page = new PassThrough()
  pipe(page)
  return head + (await text(page)) + tail
}
