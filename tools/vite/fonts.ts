import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'
import { company } from '../../shared/content/company.ts'
import { CONTENT } from '../../shared/content/index.ts'

const { resolve } = createRequire(import.meta.url)
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/fonts')

/** Characters that visitors often type into the form: ASCII, and more letters and signs of French and English texts. */
const ALPHABET = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)),
  ...'ÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜŸàâäæçéèêëîïôöœùûüÿ\u00a0«»‘’“”–—…·•°²³½¼¾×±©®€¢£§',
]

/** OpenType features that join and place letters. Others, such as small capitals and fractions, are left out. */
const FEATURES = ['calt', 'ccmp', 'clig', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig']

/** `wght`: the font weights of client/styles. */
const FONTS = {
  'titles.woff2': {
    source:
      '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
    wght: 680,
  },
  'text.woff2': {
    source: '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2',
    wght: { min: 400, max: 600 },
  },
} as const

async function subsetFonts(): Promise<void> {
  const copy = JSON.stringify([CONTENT, company])
  const characters = [...new Set([...ALPHABET, ...copy])].sort().join('')
  await mkdir(FOLDER, { recursive: true })
  for (const [name, { source, wght }] of Object.entries(FONTS)) {
    const font = await subsetFont(await readFile(resolve(source)), characters, {
      targetFormat: 'woff2',
      keepFeatures: FEATURES,
      variationAxes: { wght },
      // The licence and its address.
      preserveNameIds: [13, 14],
    })
    await writeFile(join(FOLDER, name), font)
  }
}

/** Makes `@fonts/titles.woff2` and `@fonts/text.woff2`: only the characters and weights that the site needs. */
export function fonts(): Plugin {
  return {
    name: 'fonts',
    async config() {
      await subsetFonts()
      return { resolve: { alias: { '@fonts': FOLDER } } }
    },
  }
}
