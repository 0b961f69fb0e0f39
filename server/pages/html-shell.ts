import { texts } from '../../shared/content/index.ts'
import { type HeadTag, headOf, textsOf } from '../../shared/head.ts'
import { LOCALES } from '../../shared/language.ts'
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

/** What makes a page alive, by its addresses. */
export interface Scripts {
  /** What runs. */
  start: string
  /** What that will import. */
  imports: string[]
}

/** What a browser would ask for while it makes the first paint, which needs none of it. */
const MANIFEST = '<link rel="manifest" href="/site.webmanifest">'

/** Inert until client/boot.ts takes it out, after the first paint. */
function writeScripts({ start, imports }: Scripts): string {
  const preloads = [start, ...imports].map((href) => `<link rel="modulepreload" href="${href}">`)
  const script = `<script type="module" src="${start}"></script>`
  return `<template id="after-paint">${MANIFEST}${preloads.join('')}${script}</template>`
}

export interface Frame {
  head: string
  tail: string
}

type FrameState = Pick<PageState, 'page' | 'language' | 'origin'>

const STATE = '<!--state-->'

/** What stands before and after a rendered page, made from client/index.html; it lacks the state. */
export function createFrame(template: string, state: FrameState, scripts: Scripts): Frame {
  const { language, origin } = state
  const page = getPage(state.page)
  const content = texts[language]
  const words = textsOf(page, content)
  const tags = headOf({ page, language, words, brand: content.brand, origin }).map(writeTag)
  const data = findStructuredData({ page, language, content, origin })
  if (data) tags.push(writeData(data, 'type="application/ld+json" data-head'))
  const [before = '', after = ''] = template.split('<!--app-->')
  const head = before
    .replace(/<html lang="[^"]*"/, `<html lang="${LOCALES[language]}"`)
    .replace('<!--head-->', () => tags.join('\n    '))
  return { head, tail: after.replace(STATE, () => `${STATE}\n    ${writeScripts(scripts)}`) }
}

/** Adds to a frame what the page starts with in the browser; the title says where a form has failed. */
export function completeFrame({ head, tail }: Frame, state: PageState): Frame {
  const { errorPrefix } = texts[state.language].contact.form
  const failing = state.contact?.faults ?? state.contact?.problem
  return {
    head: failing ? head.replace('<title>', () => `<title>${escapeHtml(errorPrefix)} `) : head,
    tail: tail.replace(STATE, () => writeData(state, 'type="application/json" id="state"')),
  }
}
