import { join } from 'node:path'

interface Modules {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

const START = join(import.meta.dirname, '../../client/entry-client.tsx')

/** Whether a module comes with the start of every page, because it or what imports it does. */
function startsWith(id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (id === START) return true
  if (seen.has(id)) return false
  seen.add(id)
  const importers = modules.getModuleInfo(id)?.importers ?? []
  return importers.some((importer) => startsWith(importer, modules, seen))
}

/** What every page needs is one chunk: it compresses better than the pieces that pages share, and asks once. */
export const frameChunk = {
  name: (id: string, modules: Modules) => (startsWith(id, modules) ? 'frame' : null),
}
