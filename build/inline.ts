import type { Plugin } from 'vite'

const STYLE = /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/
const SCRIPT = /\s*<script type="module"[^>]* src="\/([^"]+)"><\/script>/
/** What Vite has not taken out yet. */
const MARK = /\/\*\$vite\$:\d+\*\//

/**
 * Writes the style sheet and the first script into the document, where they cost no further request. The
 * server tells browsers their hashes.
 */
export function inlineFirst(): Plugin {
  return {
    name: 'inline-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html
        const take = (tag: RegExp) => {
          const [, name = ''] = tag.exec(html) ?? []
          const file = bundle[name]
          if (!file) throw new Error(`The document has nothing like ${tag}`)
          if (file.type === 'chunk' && file.imports.length > 0) {
            throw new Error(`${name} imports, so it cannot stand in the document`)
          }
          delete bundle[name]
          const text = file.type === 'chunk' ? file.code : String(file.source)
          return text.replace(MARK, '').trim()
        }
        const first = [
          `<style>${take(STYLE)}</style>`,
          `<script type="module">${take(SCRIPT)}</script>`,
        ]
        return html
          .replace(STYLE, '')
          .replace(SCRIPT, '')
          .replace('<!--head-->', () => [...first, '<!--head-->'].join('\n    '))
      },
    },
  }
}
