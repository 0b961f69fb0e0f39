import type { HeadTag } from '../../shared/head.ts'

/** Puts the tags of another page or language in the place of those that the server wrote. */
export function replaceHead(tags: HeadTag[]): void {
  for (const old of document.head.querySelectorAll('[data-head]')) old.remove()
  for (const { name, attributes, text } of tags) {
    if (name === 'title') {
      document.title = text ?? ''
      continue
    }
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    element.dataset.head = ''
    document.head.append(element)
  }
}
