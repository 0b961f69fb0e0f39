import { en } from '../../shared/content/en.ts'
import { fr } from '../../shared/content/fr.ts'
import { type HeadTag, headOf } from '../../shared/head.ts'
import { LOCALES } from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import { getPage } from '../../shared/pages.ts'

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
function writeState(state: PageState): string {
  const json = JSON.stringify(state).replace(/</g, '\\u003c')
  return `<script type="application/json" id="state">${json}</script>`
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
  const { page, language, origin } = state
  const tags = headOf(getPage(page), language, texts[language], origin)
  const preloads = scripts.map((href) => `<link rel="modulepreload" href="${href}">`)
  const [before = '', tail = ''] = template.split('<!--app-->')
  const head = before
    .replace(/<html lang="[^"]*"/, `<html lang="${LOCALES[language]}"`)
    .replace('<!--head-->', () => [...tags.map(writeTag), ...preloads].join('\n    '))
  return { head, tail: tail.replace('<!--state-->', () => writeState(state)) }
}
