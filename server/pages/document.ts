import { texts } from '../../shared/content/texts.ts'
import { type HeadTag, headOf } from '../../shared/head.ts'
import { type Language, LOCALES } from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import { getPage } from '../../shared/pages.ts'
import { findStructuredData } from './structured-data.ts'

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

/**
 * The parts of a document before and after the rendered page, made from client/index.html.
 * @param scripts what the page loads beyond the template's own, by their addresses
 */
export function fillTemplate(
  template: string,
  state: PageState,
  scripts: string[] = [],
): { head: string; tail: string } {
  const { language, origin } = state
  const page = getPage(state.page)
  const content = texts[language]
  const tags = headOf(page, language, content, origin)
    .map((tag) => (tag.name === 'title' && isFailing(state) ? markFailing(tag, language) : tag))
    .map(writeTag)
  const data = findStructuredData({ page, language, content, origin })
  if (data) tags.push(writeData(data, 'type="application/ld+json" data-head'))
  for (const href of scripts) tags.push(`<link rel="modulepreload" href="${href}">`)
  const [before = '', tail = ''] = template.split('<!--app-->')
  const head = before
    .replace(/<html lang="[^"]*"/, `<html lang="${LOCALES[language]}"`)
    .replace('<!--head-->', () => tags.join('\n    '))
  const stateBlock = writeData(state, 'type="application/json" id="state"')
  return { head, tail: tail.replace('<!--state-->', () => stateBlock) }
}
