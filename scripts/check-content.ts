import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Company } from '../shared/content/content.ts'
import { findPlaceholders } from '../shared/content/placeholders.ts'
import { LANGUAGES, type Language } from '../shared/language.ts'
import { findShapeFaults, findTypographyFaults, listTexts } from './content-faults.ts'

const folder = join(import.meta.dirname, '../shared/content')
const faults: string[] = []

function say(file: string, key: string, advice: string): void {
  faults.push(`shared/content/${file}${key && `, key ${key}`}: ${advice}.`)
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8'))
  } catch (error) {
    say(file, '', `the file is not valid JSON (${(error as Error).message})`)
    return undefined
  }
}

function readLanguage(language: Language): Map<string, unknown> {
  const names = readdirSync(join(folder, language)).filter((name) => name.endsWith('.json'))
  return new Map(names.map((name) => [name, read(`${language}/${name}`)]))
}

const groups = { fr: readLanguage('fr'), en: readLanguage('en') }

for (const name of new Set([...groups.fr.keys(), ...groups.en.keys()])) {
  for (const [language, key, advice] of findShapeFaults(groups.fr.get(name), groups.en.get(name))) {
    say(`${language}/${name}`, key, advice)
  }
}
for (const language of LANGUAGES) {
  for (const [name, group] of groups[language]) {
    for (const [key, text] of listTexts(group)) {
      for (const advice of findTypographyFaults(text, language)) {
        say(`${language}/${name}`, key, `${advice}: “${text}”`)
      }
    }
  }
}

const company = read('company.json') as Company | undefined
for (const key of company ? findPlaceholders(company) : []) {
  console.log(`warning: shared/content/company.json, key ${key}: still a placeholder.`)
}
for (const fault of faults) console.error(fault)
console.log(faults.length > 0 ? `${faults.length} faults in the texts` : 'The texts are in order.')
process.exitCode = faults.length > 0 ? 1 : 0
