import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const CLIENT = join(import.meta.dirname, '../../dist/client')
const RECORD = join(import.meta.dirname, '../browser/weight.json')

type Lengths = Record<string, number>

interface Weights {
  /** Maximum size of all scripts of a page, in bytes, with brotli 11. */
  budgets: Lengths
  /** Size of each package and file when the budget was set, in characters before minification. */
  modules: Lengths
}

export const readWeights = (): Weights => JSON.parse(readFileSync(RECORD, 'utf8'))

/** Compressed size of a script of the build, in bytes. */
export const weigh = (path: string): number => statSync(join(CLIENT, `${path}.br`)).size

/** The modules in these scripts of the build. */
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

/** New modules and modules that grew, the largest growth first. */
export function findGrowth(modules: Lengths, before: Lengths): string[] {
  return Object.entries(modules)
    .map(([name, length]) => ({ name, growth: length - (before[name] ?? 0) }))
    .filter(({ growth }) => growth > 0)
    .sort((a, b) => b.growth - a.growth)
    .map(({ name, growth }) => `${name}: ${before[name] ? '' : 'new, '}+${growth} characters`)
}
