import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { annotate } from '../../tools/content/annotate.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

const scratch = createFolder()

/** Changes the last line of a file that matches; returns its number and the annotations. */
function edit(file: string, pattern: RegExp, replacement: string) {
  const root = mkdtempSync(join(scratch, 'project-'))
  const path = join(root, 'shared/content', file)
  cpSync(join(ROOT, 'shared/content'), join(root, 'shared/content'), { recursive: true })
  const lines = readFileSync(path, 'utf8').split('\n')
  const index = lines.findLastIndex((line) => pattern.test(line))
  lines[index] = lines[index]?.replace(pattern, replacement) ?? ''
  writeFileSync(path, lines.join('\n'))
  return { line: index + 1, found: annotate(root) }
}

test.each([
  ['a text', 'fr/contact.json', /(?<=": ")[^"]+(?=",$)/, "100% d'essais"],
  ['a text of a list', 'en/privacy.json', /(?<=^\s*")[^"]+(?=",?$)/, "100% 'tried'"],
  ['a fact', 'company.json', /"email": ".*?"/, '"email": "info@@example.ca"'],
  ['a text without its comma', 'fr/hero.json', /",$/, '"'],
])('%s is annotated at its line, in both languages', (...row) => {
  const [name, file, pattern, replacement] = row
  const { line, found } = edit(file, pattern, replacement)
  const [first = ''] = found
  // The parser stops at the line after the missing comma.
  const expected = name === 'a text without its comma' ? line + 1 : line
  expect(first).toMatch(
    `::error file=shared/content/${file},line=${expected}::shared/content/${file}`,
  )
  expect(first).toMatch(/%0Ashared\/content\/[^\n]*$/)
  if (replacement.includes('%')) expect(first).toContain('100%25')
})

test('the texts in order have no annotation', () => {
  expect(annotate(ROOT)).toEqual([])
})
