/** Records the module lengths of the last build in test/browser/weight.json; keeps the budgets. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const record = join(import.meta.dirname, '../../test/browser/weight.json')
const built = join(import.meta.dirname, '../../dist/client/.vite/modules.json')

const files: Record<string, Record<string, number>> = JSON.parse(readFileSync(built, 'utf8'))
const lengths = Object.values(files).flatMap((modules) => Object.entries(modules))
const modules: Record<string, number> = {}
for (const [name, length] of lengths.sort(([a], [b]) => a.localeCompare(b))) {
  modules[name] = (modules[name] ?? 0) + length
}
const { budgets } = JSON.parse(readFileSync(record, 'utf8'))
writeFileSync(record, `${JSON.stringify({ budgets, modules }, null, 2)}\n`)
