import type { Plugin } from 'vite'

const STYLE = /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/

/** Writes the style sheet into the document, where it costs no further request; the server tells browsers its hash. */
export function inlineStyle(): Plugin {
  return {
    name: 'inline-style',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html
        const [, name = ''] = STYLE.exec(html) ?? []
        const file = bundle[name]
        if (file?.type !== 'asset') throw new Error('The document has no style sheet')
        delete bundle[name]
        const style = `<style>${String(file.source).trim()}</style>`
        return html.replace(STYLE, '').replace('<!--head-->', () => `${style}\n    <!--head-->`)
      },
    },
  }
}
