import type { HtmlTagDescriptor, Plugin } from 'vite'

const FOLDER = '/styles/'
const FIRST = 'first.css'
const LATER = 'later.css'
const TEXT_FONT = 'public-sans-latin-400-normal.woff2'

const link = (href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'stylesheet', href },
  injectTo: 'body',
})

/**
 * Inlines client/styles/first.css, because the first paint waits for styles. A link at the end of the body loads
 * client/styles/later.css, which delays nothing there. Both are inputs of the build.
 * Preloads the font of the text: when one font comes, the browser lays out anew all text that still waits for one.
 */
export function styles(): Plugin {
  return {
    name: 'styles',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }): HtmlTagDescriptor[] {
        if (!bundle) return [link(FOLDER + FIRST), link(FOLDER + LATER)]
        const find = (name: string) => {
          const file = Object.values(bundle).find(
            (each) => each.type === 'asset' && each.names.includes(name),
          )
          if (file?.type !== 'asset') throw new Error(`The build has no ${name}`)
          return file
        }
        const first = find(FIRST)
        delete bundle[first.fileName]
        const style = { tag: 'style', children: String(first.source), injectTo: 'head' } as const
        const preload = {
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            crossorigin: true,
            href: `/${find(TEXT_FONT).fileName}`,
          },
          injectTo: 'head',
        } as const
        return [preload, style, link(`/${find(LATER).fileName}`)]
      },
    },
  }
}
