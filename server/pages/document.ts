import { en } from '../../shared/content/en.ts'
import { fr } from '../../shared/content/fr.ts'
import { type HeadTag, headOf, textsOf } from '../../shared/head.ts'
import { type Language, LOCALES } from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import { getPage } from '../../shared/pages.ts'
import { findStructuredData } from './structured-data.ts'

const texts = { fr, en }

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

function writeTag({ name, attributes, text }: HeadTag): string {
  if (name === 'title') return `<title>${escapeHtml(text ?? '')}</title>`
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name}${pairs.join('')} data-head>`
}

/** A data block: nothing in it can end the element or run. */
function writeData(data: unknown, attributes: string): string {
  const json = JSON.stringify(data).replace(/</g, '\\u003c')
  return `<script ${attributes}>${json}</script>`
}

const isFailing = ({ contact }: PageState) => Boolean(contact?.faults ?? contact?.problem)

function markFailing(title: HeadTag, language: Language): HeadTag {
  return { ...title, text: `${texts[language].contact.form.errorPrefix} ${title.text}` }
}

/** What makes a page alive, by its addresses. */
export interface Scripts {
  /** What runs. */
  start: string
  /** What that will import. */
  imports: string[]
}

/** Inert until client/entry-client.ts takes it out, after the first paint. */
function writeScripts({ start, imports }: Scripts): string {
  const preloads = [start, ...imports].map((href) => `<link rel="modulepreload" href="${href}">`)
  const script = `<script type="module" src="${start}"></script>`
  return `<template id="after-paint">${preloads.join('')}${script}</template>`
}

/** The parts of a document before and after the rendered page, made from client/index.html. */
export function fillTemplate(
  template: string,
  state: PageState,
  scripts: Scripts,
): { head: string; tail: string } {
  const { language, origin } = state
  const page = getPage(state.page)
  const content = texts[language]
  const tags = headOf({
    page,
    language,
    words: textsOf(page, content),
    brand: content.brand,
    origin,
  })
    .map((tag) => (tag.name === 'title' && isFailing(state) ? markFailing(tag, language) : tag))
    .map(writeTag)
  const data = findStructuredData({ page, language, content, origin })
  if (data) tags.push(writeData(data, 'type="application/ld+json" data-head'))
  const [before = '', tail = ''] = template.split('<!--app-->')
  const head = before
    .replace(/<html lang="[^"]*"/, `<html lang="${LOCALES[language]}"`)
    .replace('<!--head-->', () => tags.join('\n    '))
  const last = [writeData(state, 'type="application/json" id="state"'), writeScripts(scripts)]
  return { head, tail: tail.replace('<!--state-->', () => last.join('\n    ')) }
}
