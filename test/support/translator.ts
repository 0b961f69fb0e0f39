/** The fake translator puts its texts between these characters. */
const MARKS = /[‹›]/g

export const withoutMarks = (text: string | null | undefined): string =>
  (text ?? '').replace(MARKS, '')

/** Runs in a page. Replaces each text node, also one inserted later, with `<font>`, as translators of browsers do. */
export function translate(): void {
  const LEFT_ALONE = 'font, script, style, template, textarea'
  const change = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const text of texts) {
      const { parentElement, textContent } = text
      if (!parentElement || !textContent?.trim() || parentElement.closest(LEFT_ALONE)) continue
      const font = document.createElement('font')
      font.append(document.createElement('font'))
      font.firstElementChild?.append(`‹${textContent}›`)
      parentElement.replaceChild(font, text)
    }
  }
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      for (const node of type === 'characterData' ? [target] : addedNodes) change(node)
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
  change(document.body)
}
