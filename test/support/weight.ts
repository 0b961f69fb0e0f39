import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const CLIENT = join(import.meta.dirname, '../../dist/client')
const RECORD = join(import.meta.dirname, '../browser/weight.json')

type Lengths = Record<string, number>

interface Weights {
  /** The most that a page may load of script, in bytes, brotli 11: as measured when the budget was set, and some air. */
  budgets: Lengths
  /** How long each package and each file of ours was in the scripts then, in characters before they are minified. */
  modules: Lengths
}

export const readWeights = (): Weights => JSON.parse(readFileSync(RECORD, 'utf8'))

/** The bytes of a script of the build, by its path, as a browser gets it. */
export const weigh = (path: string): number => statSync(join(CLIENT, `${path}.br`)).size

/** What is in some scripts of the build, by their paths. */
export function findModules(paths: string[]): Lengths {
  const files = JSON.parse(readFileSync(join(CLIENT, '.vite/modules.json'), 'utf8'))
  const lengths: Lengths = {}
  for (const path of paths) {
    for (const [name, length] of Object.entries<number>(files[path.slice(1)] ?? {})) {
      lengths[name] = (lengths[name] ?? 0) + length
    }
  }
  return lengths
}

/** The modules that are longer than they were, or new, the largest growth first. */
export function findGrowth(modules: Lengths, before: Lengths): string[] {
  return Object.entries(modules)
    .map(([name, length]) => ({ name, growth: length - (before[name] ?? 0) }))
    .filter(({ growth }) => growth > 0)
    .sort((a, b) => b.growth - a.growth)
    .map(({ name, growth }) => `${name}: ${before[name] ? '' : 'new, '}+${growth} characters`)
}
