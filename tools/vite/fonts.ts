import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'
import { company } from '../../shared/content/company.ts'
import { en } from '../../shared/content/en.ts'
import { fr } from '../../shared/content/fr.ts'

const { resolve } = createRequire(import.meta.url)
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/fonts')

/** What an owner may write tomorrow: ASCII, and what French and English have besides. */
const ALPHABET = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)),
  ...'ÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜŸàâäæçéèêëîïôöœùûüÿ\u00a0«»‘’“”–—…·•°²³½¼¾×±©®€¢£§',
]

/** What letters need to stand together; the fonts' small capitals, fractions and alternates stay out. */
const FEATURES = ['calt', 'ccmp', 'clig', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig']

/** The weights are those of client/styles. */
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

/** Every character that the site itself says. */
function listCharacters(): string {
  const said = JSON.stringify([fr, en, company])
  return [...new Set([...ALPHABET, ...said])].sort().join('')
}

async function cutFonts(): Promise<void> {
  const characters = listCharacters()
  await mkdir(FOLDER, { recursive: true })
  for (const [name, { source, wght }] of Object.entries(FONTS)) {
    const font = await subsetFont(await readFile(resolve(source)), characters, {
      targetFormat: 'woff2',
      keepFeatures: FEATURES,
      variationAxes: { wght },
    })
    await writeFile(join(FOLDER, name), font)
  }
}

/** Cuts the fonts to the characters and weights that the site uses: `@fonts/titles.woff2`, `@fonts/text.woff2`. */
export function fonts(): Plugin {
  return {
    name: 'fonts',
    async config() {
      await cutFonts()
      return { resolve: { alias: { '@fonts': FOLDER } } }
    },
  }
}
