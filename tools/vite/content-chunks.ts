import { join, sep } from 'node:path'
import type { Plugin } from 'vite'
import { texts } from '../../shared/content/index.ts'
import { findLanguage, LANGUAGES } from '../../shared/language.ts'
import { EXCERPTS, type ExcerptName } from '../../shared/page-content.ts'

const LIST = 'virtual:texts'
const FOLDER = '/texts/'

/** One dynamic import, so one chunk, for each name and language. */
function writeList(): string {
  const rows = Object.keys(EXCERPTS).map((name) => {
    const files = LANGUAGES.map((each) => `${each}: () => import('${FOLDER}${name}.${each}.js')`)
    return `'${name}': { ${files.join(', ')} }`
  })
  return `export const excerpts = {\n${rows.join(',\n')}\n}`
}

/** Serves shared/page-content.ts as virtual files: `/texts/home.fr.js`. */
export function contentChunks(): Plugin {
  let folder = ''
  return {
    name: 'content-chunks',
    configResolved({ root }) {
      folder = join(root, FOLDER)
    },
    resolveId(id) {
      if (id === LIST) return `\0${LIST}`
      return id.startsWith(FOLDER) ? join(folder, id.slice(FOLDER.length)) : undefined
    },
    load(id) {
      if (id === `\0${LIST}`) return writeList()
      if (!id.startsWith(folder.replaceAll(sep, '/'))) return undefined
      const [name = '', code] = id.slice(folder.length).split('.')
      const language = findLanguage(code)
      if (!language || !(name in EXCERPTS)) return undefined
      const excerpt = EXCERPTS[name as ExcerptName](texts[language])
      return `export default ${JSON.stringify(excerpt)}`
    },
  }
}
