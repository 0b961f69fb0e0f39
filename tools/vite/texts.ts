import { join } from 'node:path'
import type { Plugin } from 'vite'
import { type ContentFault, findFaults } from '../content/check-content.ts'

const ROOT = join(import.meta.dirname, '../..')
const TEXTS = /\/shared\/content\/.*\.json$/
const MAX_FAULTS = 5

/** In development, no text is loaded while one of them has a fault: broken JSON, or what `npm run check` refuses. */
export function texts(): Plugin {
  let faults: ContentFault[] = []
  const check = () => {
    faults = findFaults(ROOT)
  }
  return {
    name: 'texts',
    apply: 'serve',
    enforce: 'pre',
    buildStart: check,
    watchChange(id) {
      if (TEXTS.test(id)) check()
    },
    transform: {
      filter: { id: TEXTS },
      handler() {
        // The file may have been incomplete when its change was noticed.
        if (faults.length > 0) check()
        const [fault] = faults
        if (!fault) return
        const { file, line, column } = fault
        const lines = faults.map((each) => `${each.file}, line ${each.line}, ${each.message}`)
        const id = join(ROOT, file)
        const message = lines.slice(0, MAX_FAULTS).join('\n')
        this.error({ message, stack: '', id, loc: { file: id, line, column: column - 1 } })
      },
    },
  }
}
