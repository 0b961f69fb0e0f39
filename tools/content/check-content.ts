import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Company } from '../../shared/content/content.ts'
import { findPlaceholders } from '../../shared/content/placeholders.ts'
import { LANGUAGES, type Language } from '../../shared/language.ts'
import { findCompanyFaults } from './company-faults.ts'
import { findShapeFaults, findTypographyFaults, listTexts } from './content-faults.ts'
import { findPlaceholderFaults } from './placeholder-faults.ts'
import { findTypeFaults } from './type-faults.ts'

const folder = join(import.meta.dirname, '../../shared/content')
const faults: string[] = []

function say(file: string, key: string, advice: string): void {
  faults.push(`shared/content/${file}${key && `, key ${key}`}: ${advice}.`)
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8'))
  } catch (error) {
    say(
      file,
      '',
      `the file cannot be read: look for a missing or extra comma, quotation mark or bracket (${(error as Error).message})`,
    )
    return undefined
  }
}

function readLanguage(language: Language): Map<string, unknown> {
  const names = readdirSync(join(folder, language)).filter((name) => name.endsWith('.json'))
  return new Map(names.map((name) => [name, read(`${language}/${name}`)]))
}

const groups = { fr: readLanguage('fr'), en: readLanguage('en') }

for (const name of new Set([...groups.fr.keys(), ...groups.en.keys()])) {
  const [french, english] = [groups.fr.get(name), groups.en.get(name)]
  if (groups.fr.has(name) && french === undefined) continue
  if (groups.en.has(name) && english === undefined) continue
  for (const [language, key, advice] of findShapeFaults(french, english)) {
    say(`${language}/${name}`, key, advice)
  }
}
for (const language of LANGUAGES) {
  for (const [name, group] of groups[language]) {
    for (const [key, text] of listTexts(group)) {
      const advices = [
        ...findTypographyFaults(text, language),
        ...findPlaceholderFaults(name, key, text),
      ]
      for (const advice of advices) {
        say(`${language}/${name}`, key, `${advice}: “${text}”`)
      }
    }
  }
}

const company = read('company.json')
if (company !== undefined) {
  for (const [key, advice] of findCompanyFaults(company)) say('company.json', key, advice)
}

/** The group on a line of fr.ts or en.ts. */
function groupAt(language: string, line: number): string {
  const lines = readFileSync(join(folder, `${language}.ts`), 'utf8').split('\n')
  return lines[line - 1]?.trim().replace(',', '') ?? ''
}

// What both languages lack, only the compiler knows.
if (faults.length === 0) {
  const { stdout } = spawnSync('tsc', { cwd: join(folder, '../..'), encoding: 'utf8' })
  for (const { file, key, advice } of findTypeFaults(stdout ?? '', groupAt)) say(file, key, advice)
}

if (faults.length === 0) {
  for (const key of findPlaceholders(company as Company)) {
    console.log(`warning: shared/content/company.json, key ${key}: still a placeholder.`)
  }
}
for (const fault of faults) console.error(fault)
const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
console.log(faults.length > 0 ? `${count} in the texts` : 'The texts are in order.')
process.exitCode = faults.length > 0 ? 1 : 0
