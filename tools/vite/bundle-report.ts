import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*/

/** A package by its name, a file of ours by its path. */
function nameOf(id: string): string {
  const path = relative(ROOT, id.replaceAll('\0', '')).replaceAll('\\', '/')
  return path.replace(PACKAGE, '$1').replace(/^node_modules\/((?:@[^/]+\/)?[^/]+)\/.*/, '$1')
}

/** Writes which packages and files of ours each script is made of, and how long they are in it: what a budget names. */
export function listModules(): Plugin {
  return {
    name: 'list-modules',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_, bundle) {
      const scripts = Object.values(bundle).filter((file) => file.type === 'chunk')
      const rows = scripts.map(({ fileName, modules }) => {
        const lengths: Record<string, number> = {}
        for (const [id, { renderedLength }] of Object.entries(modules)) {
          if (renderedLength === 0) continue
          const name = nameOf(id)
          lengths[name] = (lengths[name] ?? 0) + renderedLength
        }
        return [fileName, lengths]
      })
      const source = JSON.stringify(Object.fromEntries(rows))
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source })
    },
  }
}
