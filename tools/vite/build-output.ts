import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const ENTRY = join(ROOT, 'client/entry-client.tsx')
const ICON = join(ROOT, 'client/public/icon.svg')

interface Modules {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

function isInEntry(id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (id === ENTRY) return true
  if (seen.has(id)) return false
  seen.add(id)
  const importers = modules.getModuleInfo(id)?.importers ?? []
  return importers.some((importer) => isInEntry(importer, modules, seen))
}

/**
 * Puts the code that every page needs into one chunk: it takes one request and compresses better than several. No
 * module here may await a chunk at its top level: that chunk imports this one, and both would wait forever.
 */
export const frameChunk = {
  name: (id: string, modules: Modules) => (isInEntry(id, modules) ? 'frame' : null),
}

/** Without the marks, and with the names for developer tools, unused code of React Router adds 3 kB to every page. */
export function markPureCalls(): Plugin {
  return {
    name: 'mark-pure-calls',
    transform: {
      filter: { id: /\/react-router\/dist\// },
      handler: (code) =>
        code
          .replace(/= (React\d*\.(?:memo|forwardRef|createContext)\()/g, '= /* @__PURE__ */ $1')
          .replace(/^\w+\.displayName = "\w+";$/gm, ''),
    },
  }
}

/**
 * React creates five errors as its module loads, and nobody reads their stacks. With developer tools open, as in
 * Lighthouse, each stack makes the browser parse the whole chunk again.
 */
export function omitStacks(): Plugin {
  return {
    name: 'omit-stacks',
    transform: {
      filter: { id: /\/react-dom-client\.production\.js$/ },
      handler: (code) =>
        code.replace(
          /(\w+Exception = )Error\((formatProdErrorMessage\(\d+\))\)/g,
          '$1{ message: $2 }',
        ),
    },
  }
}

/** Writes `--0` and so on for custom properties: 0.4 kB less in every document. Keeps those that Radix sets. */
function shortenNames(css: string): string {
  const names = new Map<string, string>()
  return css.replace(/--(?!radix)[a-z][\w-]*(?=[:,){])/g, (name) => {
    if (!names.has(name)) names.set(name, `--${names.size.toString(36)}`)
    return names.get(name) ?? name
  })
}

const STYLE = /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/

/** The built styles: those for all media, then the layer that the first paint does not need, then screen, then print. */
const STYLES = /^(.*)(@layer later\{.*)(@media screen\{.*)(@media print\{.*)$/s

/**
 * Inlines the style sheet and the icon in the document, because browsers request both before the first paint. Styles for
 * later stay in the file, whose link is last: server/pages/html-shell.ts puts it where it does not delay the paint.
 */
export function inlineAssets(): Plugin {
  return {
    name: 'inline-assets',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        if (!bundle) return html
        const svg = (await readFile(ICON, 'utf8'))
          .trim()
          .replaceAll('"', "'")
          .replace(/<title>.*<\/title>/, '')
        // Escapes only what a URL needs: the rest then compresses together with the page. Numbers get commas, which need no escape.
        const icon = svg.replace(/(?<=[\d)]) /g, ',').replace(/[#%<> ]/g, encodeURIComponent)
        const [, name = ''] = STYLE.exec(html) ?? []
        const file = bundle[name]
        if (file?.type !== 'asset')
          throw new Error('The built document has no style sheet to inline')
        const source = shortenNames(String(file.source).replace('/*$vite$:1*/', '').trim())
        const [, all, later, screen, print] = STYLES.exec(source) ?? []
        if (!all) throw new Error('The built style sheet does not have the parts in STYLES')
        file.source = `${later}${print}`
        const style = `<style>${all}${screen}</style>`
        return html
          .replace(STYLE, '')
          .replace('href="/icon.svg"', () => `href="data:image/svg+xml,${icon}"`)
          .replaceAll(/>\s+</g, '><')
          .replace('<!--head-->', () => `${style}<!--head-->`)
          .replace('</body>', `<link rel="stylesheet" href="/${name}"></body>`)
      },
    },
  }
}

const COMPRESSIBLE = /\.(?:js|css)$/
const BEST = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    // The largest block, so that brotli does not split a file into blocks; that would cost up to 200 bytes.
    [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MAX_INPUT_BLOCK_BITS,
  },
}

export function precompress(): Plugin {
  return {
    name: 'precompress',
    applyToEnvironment: ({ name }) => name === 'client',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true })
      const compress = async (file: string) => {
        const bytes = await readFile(file)
        await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, BEST))
        await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
      }
      await Promise.all(
        names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(dir, name))),
      )
    },
  }
}
