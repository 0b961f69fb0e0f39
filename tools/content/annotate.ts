/** Prints the findings of the check as GitHub's workflow commands: a proposal shows them at their lines. Needs no packages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTexts } from '../../shared/content/company.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { checkContent } from './check-content.ts'

/** The line of a key; of a list or a group, that of its first text. */
function findLine(json: string, key: string): number {
  let end = 0
  for (const [each, text] of listTexts(JSON.parse(json))) {
    const start = json.indexOf(JSON.stringify(text), end)
    if (start >= 0) end = start + 1
    const isInside = each.startsWith(key) && /^(?:$|[.[])/.test(each.slice(key.length))
    if (isInside) return json.slice(0, end).split('\n').length
  }
  return 1
}

/** `root` is the folder of the project. Each finding is in both languages. */
export function annotate(root: string): string[] {
  const checks = LANGUAGES.map((reader) => checkContent(root, reader))
  const places = checks[0]?.places ?? []
  return places.map(({ file, key }, index) => {
    const text = checks.map(({ faults }) => faults[index]).join('\n')
    const line = key
      ? findLine(readFileSync(join(root, file), 'utf8'), key)
      : (/\(line (\d+) /.exec(text)?.[1] ?? 1)
    const escaped = text.replace(/[%\r\n]/g, encodeURIComponent)
    return `::error file=${file},line=${line}::${escaped}`
  })
}

if (import.meta.main) {
  const found = annotate(join(import.meta.dirname, '../..'))
  for (const line of found) console.log(line)
  process.exitCode = found.length > 0 ? 1 : 0
}
