import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkContent } from '../../tools/content/check-content.ts'
import { NAMED, PRESCRIBED } from '../../tools/content/rules.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

const scratch = createFolder()

/** Copies the content of the site into a new project. */
function copyContent() {
  const root = mkdtempSync(join(scratch, 'project-'))
  cpSync(join(ROOT, 'shared/content'), join(root, 'shared/content'), { recursive: true })
  const getPath = (file: string) => join(root, 'shared/content', `${file}.json`)
  return {
    root,
    write: (file: string, text: string, encoding: BufferEncoding = 'utf8') =>
      writeFileSync(getPath(file), text, encoding),
    /** Sets the value of a key such as `facts.hoursValue`; undefined removes it. */
    edit(file: string, key: string, value: unknown) {
      const json = JSON.parse(readFileSync(getPath(file), 'utf8'))
      const steps = key.split('.')
      const last = steps.pop() ?? ''
      Object.assign(
        steps.reduce((parent, step) => parent[step], json),
        { [last]: value },
      )
      writeFileSync(getPath(file), JSON.stringify(json))
    },
  }
}

test('the content of the site is in order', () => {
  expect(checkContent(ROOT)).toEqual([])
})

const LONG = 'mot '.repeat(30).trim()

test.each([
  ['fr/nav', 'menu', undefined, 'the other language lacks this text', 'en/nav'],
  ['en/hero', 'intro', 'Call {phone}', 'the site fills in here: nothing'],
  ['fr/footer', 'rights', 'Tous droits réservés', 'put {name} back'],
  ['fr/footer', 'rights', '© {name}, {prénom}', 'write {, one word without accents, and }'],
  ['en/privacy', 'intro', 'Write to {privacyEmail}.', 'both languages need the same words'],
  ['fr/headlines', 'home', '', 'write 1 to 50 characters'],
  ['en/brand', 'name', LONG, 'write 1 to 22 characters'],
  ['fr/contact', 'meta.description', 'Courte', 'write 70 to 160 characters'],
  ['fr/divisions', 'items.public-safety.tags', ['un', 'un'], 'two items begin with the same'],
  ['fr/divisions', 'items.health-safety.summary', LONG.repeat(16), 'a second sheet'],
  ['fr/privacy', 'sections.2.body.1.table.rows.0.2', 'Un an', 'a row for each field'],
  ['en/footer', 'cookies', 'Cookie choices', 'the policy must name it', 'en/privacy'],
  ['en/privacy', 'updated', 'Last updated: July 11, 2025', 'the same date'],
  ['en/errors', 'serverError.intro', 'Something went wrong.', 'mention: technical team'],
  ['company', 'phone', '613-222-2222', 'write +1 and ten digits'],
  ['company', 'email', 'info', 'write an e-mail address'],
  ['company', 'address.en.street', '7 Bridge Street', 'both languages need the same numbers'],
  ['company', 'address.fr.postalCode', 'K2P1L4', 'write a postal code'],
])('in %s, %s = %j is a fault: %s', (file, key, value, advice, named = file) => {
  const { root, edit } = copyContent()
  edit(file, key, value)
  expect(checkContent(root)).toContainEqual(
    expect.stringMatching(
      `^shared/content/${named}.json, line \\d+, key .*: .*${RegExp.escape(advice)}`,
    ),
  )
})

const SOUND = '{\n  "name": "Un",\n  "region": "Deux",\n  "trade": "Trois"\n}\n'

test.each([
  ['a comma is missing', /",\n/, '"\n', 2, 'add a comma'],
  ['a comma is too many', /"\n\}/, '",\n}', 4, 'remove the comma'],
  ['the first quotation mark is missing', ': "', ': ', 2, 'add the straight quotation marks'],
  ['the last quotation mark is missing', /",\n/, ',\n', 2, 'add the closing quotation mark'],
  ['the quotation marks are typographic', /: "(.*)"/, ': “$1”', 2, 'add the straight quotation'],
  ['a quotation mark is too many', ': "', ': """', 2, 'or remove a straight quotation mark'],
  ['a quotation mark of the key is missing', '  "', '  ', 2, 'add the straight quotation marks'],
  ['the colon is missing', ':', '', 2, 'add a colon'],
  ['the end is missing', /",\n(.|\n)*/, '",\n', 2, 'restore the end'],
  ['something follows the end', /\}/, '}}', 5, 'should end before this'],
  ['a key stands twice', '{\n', '{\n  "name": "x",\n', 2, 'stands twice'],
  ['the file is not UTF-8', ': "', ': "\u00e9', 2, 'a character here may be missing'],
])('where %s, line and mend are named', (_, sound, broken, line, advice) => {
  const { root, write } = copyContent()
  const text = SOUND.replace(sound, broken)
  write('fr/brand', text, text.includes('\u00e9') ? 'latin1' : 'utf8')
  expect(checkContent(root)[0]).toMatch(
    RegExp(`^shared/content/fr/brand.json, line ${line}, .*${advice}`),
  )
})

test('the firm may have one registration number and no link', () => {
  const { root, edit } = copyContent()
  edit('company', 'registrations', { ontario: ['123456'], canada: '' })
  edit('company', 'links', { site: '', x: '', instagram: '', discord: '' })
  expect(checkContent(root)).toEqual([])
})

test.each(Object.keys(NAMED))('the items of %s that the specification names must stay', (key) => {
  const { root, edit } = copyContent()
  const [file = '', ...steps] = key.split('.')
  edit(`fr/${file}`, [...steps, '0'].join('.'), { title: 'Autre' })
  expect(checkContent(root).join('\n')).toContain(
    'the site’s specification names an item: put back',
  )
})

test.each(Object.entries(PRESCRIBED))('the prescribed sentence %s is kept', (key, sentences) => {
  const [file = '', ...steps] = key.split('.')
  for (const [language, sentence] of Object.entries(sentences)) {
    const { root, edit } = copyContent()
    edit(`${language}/${file}`, steps.join('.'), 'Autre')
    expect(checkContent(root)).toEqual([
      `shared/content/${language}/${file}.json, line 1, key ${steps.join('.')}: the site’s specification prescribes this sentence: put back “${sentence}”: “Autre”`,
    ])
  }
})

test.each([
  ['fr', "l'équipe", 'apostrophe'],
  ['en', '"quoted"', 'quotation marks'],
  ['fr', 'Note: deux points', 'the colon'],
  ['fr', 'Note :', 'the colon'],
  ['fr', '10%', '% and $'],
  ['fr', 'à 9 h', 'h or min'],
  ['fr', '«serré»', 'inside « and »'],
  ['fr', 'Vraiment ?', '; ! or ?'],
  ['fr', '10 000', 'in a number'],
  ['en', 'two  spaces', 'the double one'],
  ['fr', 'fine\u202f!', 'fonts'],
  ['en', '<b>bold</b>', 'HTML'],
])('in %s the typography of %j is a fault: %s', (language, text, advice) => {
  const { root, edit } = copyContent()
  edit(`${language}/services`, 'headline', text)
  expect(checkContent(root).join()).toContain(advice)
})
