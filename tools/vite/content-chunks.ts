import { join, sep } from 'node:path'
import type { Plugin } from 'vite'
import { CONTENT } from '../../shared/content/index.ts'
import { findLanguage, LANGUAGES, otherLanguage } from '../../shared/language.ts'
import { type ContentName, PAGE_CONTENT } from '../../shared/page-content.ts'

const LIST = 'virtual:page-content'
const FOLDER = '/texts/'

/** Writes one dynamic import for each name and language, so that each content is a chunk of its own. */
function writeList(): string {
  const rows = Object.keys(PAGE_CONTENT).map((name) => {
    const files = LANGUAGES.map((each) => `${each}: () => import('${FOLDER}${name}.${each}.js')`)
    return `'${name}': { ${files.join(', ')} }`
  })
  return `export const pageContent = {\n${rows.join(',\n')}\n}`
}

/** Serves each content of shared/page-content.ts as a virtual file, such as `/texts/home.fr.js`. */
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
      if (!language || !(name in PAGE_CONTENT)) return undefined
      const content = PAGE_CONTENT[name as ContentName](
        CONTENT[language],
        CONTENT[otherLanguage(language)],
      )
      return `export default ${JSON.stringify(content)}`
    },
  }
}
