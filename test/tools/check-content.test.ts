import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTexts } from '../../shared/content/company.ts'
import type { Language } from '../../shared/language.ts'
import { checkContent } from '../../tools/content/check-content.ts'
import { findTypographyRules } from '../../tools/content/check-text.ts'
import french from '../../tools/content/fr.json' with { type: 'json' }
import { run } from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

const NBSP = '\u00a0'
const SAFEGUARDS = '"Our safeguards match the sensitivity of the information we hold:"'
const scratch = createFolder()

function copyContent(): string {
  const folder = mkdtempSync(join(scratch, 'content-'))
  cpSync(join(ROOT, 'shared/content'), folder, { recursive: true })
  return folder
}

/** Edits a file (for `both/…`, the file of each language) and checks the content. */
function check(file: string, from: string, to: string, reader: Language = 'en') {
  const folder = copyContent()
  const files = file.startsWith('both') ? ['fr', 'en'].map((l) => file.replace('both', l)) : [file]
  for (const each of files) {
    const text = readFileSync(join(folder, each), 'utf8')
    expect(text).toContain(from)
    writeFileSync(join(folder, each), text.replace(from, to))
  }
  return checkContent(folder, reader)
}

test('the content is in order, apart from facts that are placeholders', () => {
  const { faults, warnings } = checkContent(copyContent(), 'en')
  expect(faults).toEqual([])
  expect(warnings).toContain(
    'warning: shared/content/company.json, key phone: still a placeholder.',
  )
  expect(warnings.join()).toMatch(/address.fr.city.*fr.postalCode.*address.en.city.*en.postalCode/)
})

test.each([
  ['en/hero.json', '"headline"', '"heading"', 'en/hero.json, key heading: the other language'],
  ['en/brand.json', '"RG Group"', '7', 'key name: this must be a text in quotation marks'],
  ['en/divisions.json', '["Risk', '"", "x": ["Risk', 'safety.tags: the two languages differ'],
  ['en/divisions.json', '["Risk assessment", ', '[', 'items: French has 4, English has 3'],
  ['en/privacy.json', SAFEGUARDS, '{ "list": ["x"] }', 'sections[7].body[0]: the two'],
  ['both/privacy.json', '{privacyEmail}', '{mail}', 'cannot fill in {mail}; it knows here: {name}'],
  ['en/hero.json', '"Four sectors"', '"Call {phone}"', 'it knows here: none: “Call {phone}”'],
  ['both/contact.json', '{count} message"', 'message"', 'key form.limit.one: put {count} back'],
  ['both/errors.json', '{phone}', '', 'key problems.limit-reached: put {phone} back'],
  ['en/privacy.json', 'What we learn', '{name}: x', 'braces: French has none, English has {name}'],
  ['fr/footer.json', '{name}', '{prénom} {name}', 'key rights: a brace is alone'],
  ['en/privacy.json', 'Email: {privacyEmail}', 'Email: {privacyEmail', 'list[0]: a brace is alone'],
  ['company.json', '+16135550199', '613-555-0199', 'key phone: this is not a telephone number'],
  ['company.json', 'https://example.ca/', 'example.ca', 'key links.site: this link does not have'],
  ['company.json', '//x.com/', '//y.com/', 'links.x: this link does not have the right form'],
  ['company.json', '"0000000"', '"n/a"', 'key registrations.canada: this is not a registration'],
  ['company.json', '"000000000", ', '', 'key registrations.ontario[1]: this key is missing'],
  ['company.json', '"phone"', '"telephone"', 'key telephone: nothing on the site uses this key'],
  ['company.json', '123 Example', '124 Example', 'key address.en.street: the two languages give'],
  ['company.json', '"K1A 0A0"', '"K1A 0B1"', 'key address.en.postalCode: the two languages give'],
  ['company.json', '"Groupe RG"', '" "', 'key legalName.fr: this is empty'],
  ['both/divisions.json', '"tags": [', '"tags": ["x", "x", ', 'public-safety.tags: two items'],
  ['both/privacy.json', '"points": [', '"points": [], "x": [', 'points: this list is empty'],
  ['both/privacy.json', '"rows": [', '"rows": [["x"], ', 'table.rows: each row needs as many'],
  ['both/hero.json', '"description": "', '"description": "x", "x": "', 'search engines'],
  ['company.json', 'rue Exemple', "rue de l'Église", 'key address.fr.street: use the curly'],
  ['en/brand.json', '{', '\uFEFF{', 'en/brand.json: save this file as UTF-8, without'],
])('%s, %j replaced by %j, is reported with file, key and advice', (file, from, to, report) => {
  const faults = check(file, from, to).faults.join('\n')
  expect(faults).toContain(report)
  expect(faults).toMatch(
    new RegExp(`^shared/content/${file.replace(/^(?:both|en)/, '(fr|en)')}[,:]`),
  )
})

test.each([
  ['en/news.json', '{}', 'the other language does not have this file'],
  ['fr/nav.json', '{ "label": "Menu français" }', 'save this file as UTF-8'],
])('%s with %s: %s', (file, text, report) => {
  const folder = copyContent()
  writeFileSync(join(folder, file), text, 'latin1')
  const { faults } = checkContent(folder, 'en')
  expect(faults).toEqual([expect.stringContaining(`${file}: ${report}`)])
})

test.each([
  ['fr', "l'équipe", 'apostrophe'],
  ['en', "it's", 'apostrophe'],
  ['en', '"quoted"', 'quotes'],
  ['fr', 'Note: deux points', 'colon'],
  ['fr', 'Note : deux points', 'colon'],
  ['fr', 'Note :', 'colon'],
  ['fr', '10%', 'percent'],
  ['fr', '5 $', 'percent'],
  ['fr', 'à 9 h', 'units'],
  ['fr', 'à 9h', 'units'],
  ['fr', 'dans {minutes} min', 'units'],
  ['fr', '« trop large »', 'guillemets'],
  ['fr', '«serré»', 'guillemets'],
  ['fr', 'Vraiment ?', 'punctuation'],
  ['fr', `Oui${NBSP}!`, 'punctuation'],
  ['fr', '10 000', 'thousands'],
  ['en', 'two  spaces', 'spaces'],
  ['en', ' before', 'spaces'],
  ['fr', 'fine\u202f!', 'fonts'],
  ['en', 'a → b', 'fonts'],
  ['fr', '≥ 3', 'fonts'],
  ['en', '<b>bold</b>', 'markup'],
  ['fr', 'a&nbsp;b', 'markup'],
] as const)('in %s, the typography is wrong: %j', (language, text, rule) => {
  expect(findTypographyRules(text, language)).toContain(rule)
})

test('the French sentences of the check follow the rules of French typography', () => {
  const namesSigns = ['percent', 'guillemets', 'punctuation', 'quotes']
  for (const [name, text] of listTexts(french.rules)) {
    if (namesSigns.includes(name)) continue
    const allowed = name === 'apostrophe' ? ['apostrophe'] : []
    const found = findTypographyRules(text, 'fr').filter((each) => !allowed.includes(each))
    expect({ text, found }).toEqual({ text, found: [] })
  }
})

test.each([
  [{ LANG: 'fr_CA.UTF-8' }, [], 'Les textes sont en ordre.'],
  [{ LANG: 'fr_CA.UTF-8', LC_ALL: 'C' }, [], 'The texts are in order.'],
  [{}, ['--lang', 'fr'], 'Les textes sont en ordre.'],
  [{ LANG: 'fr_CA.UTF-8' }, ['--lang', 'en'], 'The texts are in order.'],
])('the language of the reader, by %j %j: %s', async (environment, options, summary) => {
  const unset = { LANG: undefined, LC_ALL: undefined, LC_MESSAGES: undefined }
  const command = ['tools/content/check-content.ts', ...options]
  const { status, stdout } = await run(process.execPath, command, { ...unset, ...environment })
  expect(stdout).toContain(summary)
  expect(status).toBe(0)
})
