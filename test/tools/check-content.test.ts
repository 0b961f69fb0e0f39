import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkContent } from '../../tools/content/check-content.ts'
import { findTypographyRules } from '../../tools/content/check-text.ts'
import { DATA_PERIODS, PRESCRIBED, STORED_WORDS } from '../../tools/content/prescribed.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

const scratch = createFolder()

/** Hardly compressible, so that a policy with this text is too long. */
const LONG = randomBytes(4500).toString('hex')

const createAddress = (street: string, city: string) => ({
  street,
  city,
  province: 'Ontario',
  postalCode: 'K2P 1L4',
})

/** Small content without a fault; the texts are the same in both languages. */
const TEXTS = {
  brand: { name: 'Firm', tagline: 'We help' },
  contact: {
    meta: {
      description: `Firm answers by telephone and by email from 9 to 5${', every day'.repeat(4)}`,
    },
    facts: { hoursValue: 'From 9 to 5' },
    form: {
      limit: { one: '{count} message', other: '{count} messages' },
      messageHint: 'From {min} to {max}',
    },
  },
  divisions: {
    meta: { description: `Help for land, water, air and fire${', every day'.repeat(4)}` },
    items: {
      'public-safety': { title: 'Land', tags: ['hill', 'field'] },
      'francophone-services': { title: 'Water', tags: ['lake'] },
      'health-safety': { title: 'Air', tags: ['wind'] },
      'animal-first-aid': { title: 'Fire', tags: ['wood'] },
    },
  },
  errors: { problems: { 'limit-reached': '{limit} {minutes} {phone} {email}' } },
  footer: { rights: '© {name}' },
  hero: { headline: 'Hello' },
  nav: { homeLink: 'Firm, home' },
  privacy: {
    sections: [
      {
        id: 'data-collected',
        body: [
          'Collected',
          {
            table: {
              head: ['What', 'Why', 'How long'],
              rows: DATA_PERIODS.map((period, row) => [`Data ${row}`, 'Needed', period]),
            },
          },
          { list: ['Write to {privacyEmail}', STORED_WORDS.join(', ')] },
        ],
      },
    ],
  },
}
const FACTS = {
  legalName: { fr: 'Firme', en: 'Firm' },
  address: {
    fr: createAddress('12, rue du Pont', 'Ottawa'),
    en: createAddress('12 Bridge Street', 'Ottawa'),
  },
  phone: '+16132222222',
  email: 'hello@firm.test',
  privacyEmail: 'privacy@firm.test',
  backups: { fr: '30 jours', en: '30 days' },
  registrations: { ontario: ['123456', '234567'], canada: '345678' },
  links: {
    site: 'https://firm.test/',
    x: 'https://x.com/firm',
    instagram: 'https://www.instagram.com/firm',
    discord: 'https://discord.com/firm',
  },
}

const createContent = () => ({
  fr: structuredClone(TEXTS),
  en: structuredClone(TEXTS),
  company: structuredClone(FACTS),
})

/** Writes the content as a project; `published` is the name of a file in client/public. */
function writeContent({ company, ...languages } = createContent(), published = 'a.pdf'): string {
  const root = mkdtempSync(join(scratch, 'project-'))
  const content = join(root, 'shared/content')
  for (const [language, files] of Object.entries(languages)) {
    mkdirSync(join(content, language), { recursive: true })
    for (const [name, json] of Object.entries(files))
      writeFileSync(join(content, language, `${name}.json`), JSON.stringify(json))
  }
  writeFileSync(join(content, 'company.json'), JSON.stringify(company))
  mkdirSync(join(root, 'client/public'), { recursive: true })
  writeFileSync(join(root, 'client/public', published), '')
  return root
}

/** Sets the value at a place such as `fr.brand.name`; undefined removes it. */
function edit(content: object, place: string, value: unknown): void {
  const steps = place.split('.')
  const last = steps.pop() ?? ''
  const parent = steps.reduce((each, step) => Reflect.get(each, step), content)
  Object.assign(parent, { [last]: value })
}

test('the content of the site is in order, and so is the content of this test', () => {
  expect(checkContent(ROOT, 'en').faults).toEqual([])
  const { faults, warnings } = checkContent(writeContent(), 'en')
  expect([faults, warnings]).toEqual([[], []])
})

test('a sector of shared/sectors.ts without texts is named', () => {
  const content = createContent()
  for (const { divisions } of [content.fr, content.en])
    Reflect.deleteProperty(divisions.items, 'health-safety')
  expect(checkContent(writeContent(content), 'en').faults).toEqual(
    ['fr', 'en'].map((language) =>
      expect.stringMatching(
        `^shared/content/${language}/divisions.json, key items.health-safety: this key is missing`,
      ),
    ),
  )
})

test('facts that are placeholders are named', () => {
  const content = createContent()
  content.company.phone = '+16135550199'
  const { warnings } = checkContent(writeContent(content), 'en')
  expect(warnings).toEqual([
    'warning: shared/content/company.json, key phone: still a placeholder.',
  ])
})

/** Each line: a place, its new value (none: removed), and the fault that this is. */
const FAULTS = `
en.hero.heading = "Hello" | en/hero.json, key heading: the other language
en.brand.name = 7 | en/brand.json, key name: this must be a text in quotation marks
en.divisions.items.public-safety.tags = "hill" | en/divisions.json, key items.public-safety.tags: the two languages differ
en.divisions.items.public-safety.tags = ["hill"] | en/divisions.json, key items.public-safety.tags: give both lists the same number of items: French has 2, this one has 1
en.privacy.sections.0.body.0 = { "list": ["x"] } | en/privacy.json, key sections[0].body[0]: the two
fr.privacy.sections.0.body.0 = "{mail}" | fr/privacy.json, key sections[0].body[0]: the site cannot fill in {mail}; it knows here: {name}
en.hero.headline = "Call {phone}" | en/hero.json, key headline: the site cannot fill in {phone}; it knows here: none: “Call {phone}”
en.contact.form.limit.one = "message" | en/contact.json, key form.limit.one: put {count} back
en.errors.problems.limit-reached = "{limit} {email}" | en/errors.json, key problems.limit-reached: put {phone} back
en.privacy.sections.0.body.0 = "{name}" | en/privacy.json, key sections[0].body[0]: both languages must use the same words in braces: French has none, this text has {name}
fr.footer.rights = "{prénom} {name}" | fr/footer.json, key rights: a brace is alone
fr.footer.rights = "{name} {name" | fr/footer.json, key rights: a brace is alone
company.phone = "613-222-2222" | company.json, key phone: this is not a telephone number
company.links.site = "firm.test" | company.json, key links.site: this link does not have the right form
company.links.x = "https://y.com/firm" | company.json, key links.x: this link does not have the right form
company.registrations.canada = "n/a" | company.json, key registrations.canada: this is not a registration
company.telephone = "x" | company.json, key telephone: nothing on the site uses this key
company.address.en.street = "13 Bridge Street" | company.json, key address.en.street: the two languages give
company.address.en.postalCode = "K2P 1L5" | company.json, key address.en.postalCode: the two languages give
company.legalName.fr = " " | company.json, key legalName.fr: this is empty
company.address.fr.street = "12, rue de l'Église" | company.json, key address.fr.street: use the curly
fr.divisions.items.public-safety.tags = ["x", "x"] | fr/divisions.json, key items.public-safety.tags: two items
fr.divisions.items.public-safety.tags = [] | fr/divisions.json, key items.public-safety.tags: this list is empty
fr.privacy.sections.0.body.1.table.head = ["What"] | fr/privacy.json, key sections[0].body[1].table.rows: each row needs as many
fr.privacy.sections.0.body.1.table.rows.0 = ["a", "b", "c"] | fr/privacy.json, key sections[0]: the table needs a row for each kind of data
fr.privacy.sections.0.body.2.list = ["{privacyEmail}"] | fr/privacy.json, key sections: the policy must name what the site stores in the browser
fr.privacy.intro = "LONG" | fr/privacy.json: the policy is too long for its page: shorten it by about
en.contact.meta.description = "Firm" | en/contact.json, key meta.description: write 70 to 160 characters here, for search engines
fr.hero.headline = "LONG" | fr/hero.json, key headline: this text has 9000 characters; write 50 at most
en.brand.name = "New" | en/nav.json, key homeLink: write “New” in this text, as in brand.name
fr.brand.name = "New" | fr/contact.json, key meta.description: write “New” in this text
en.contact.meta.title = "Contact us, Contact us, Contact us, Contact us, Contact us, now today" | en/contact.json, key meta.title: with the name in brand.json, “Firm”, this title has 76 characters
en.contact.facts.hoursValue = "8:30 to 5:00" | en/contact.json, key facts.hoursValue: the two languages give different numbers: “From 9 to 5” in French
fr.contact.facts.hoursValue = "From 8 to 17" | fr/contact.json, key meta.description: this text gives other hours than key facts.hoursValue`

test.each(
  FAULTS.trim()
    .split('\n')
    .map((line) => line.split(/ = | \| /)),
)('%s = %s: %s', (place = '', value = '', report) => {
  const content = createContent()
  edit(content, place, value === '"LONG"' ? LONG : JSON.parse(value))
  const { faults } = checkContent(writeContent(content), 'en')
  expect(faults.filter((fault) => fault.startsWith(`shared/content/${report}`))).toHaveLength(1)
})

test('the firm may have one registration number and no link, and write hours as each language does', () => {
  const content = createContent()
  edit(content, 'company.registrations', { ontario: ['123456'], canada: '' })
  edit(content, 'company.links', { site: '', x: '', instagram: '', discord: '' })
  edit(content, 'en.contact.facts.hoursValue', '9:00 a.m. to 5:00 p.m.')
  expect(checkContent(writeContent(content), 'en').faults).toEqual([])
})

test.each([
  ['prix 2026.pdf', 'name a published file'],
  ['prices.csv', 'the site does not know this type'],
])('a published file %s: %s', (name, report) => {
  const { faults } = checkContent(writeContent(createContent(), name), 'en')
  expect(faults).toEqual([expect.stringContaining(`client/public/${name}: ${report}`)])
})

test.each(Object.entries(PRESCRIBED))('the prescribed sentence %s is kept', (place, sentences) => {
  const [file = '', ...steps] = place.split('.')
  const inner = steps.reduceRight<unknown>((json, step) => ({ [step]: json }), 'Changed')
  for (const [language, sentence] of Object.entries(sentences)) {
    const root = writeContent()
    const path = `shared/content/${language}/${file}.json`
    writeFileSync(join(root, path), JSON.stringify(inner))
    expect(checkContent(root, 'en').faults).toContain(
      `${path}, key ${steps.join('.')}: the site’s specification prescribes this sentence: put back “${sentence}”: “Changed”.`,
    )
  }
})

test.each([
  ['en/news.json', '{}', 'the other language does not have this file'],
  ['fr/nav.json', '{ "label": "Menu français" }', 'save this file as UTF-8'],
  ['en/brand.json', '\uFEFF{}', 'save this file as UTF-8, without'],
  ['fr/brand.json', '{\n"name": "x",\n}', 'line 2: delete the comma after the last item'],
])('%s with %s: %s', (file, text, report) => {
  const root = writeContent()
  writeFileSync(join(root, 'shared/content', file), text, 'latin1')
  const { faults } = checkContent(root, 'en')
  expect(faults).toEqual([expect.stringContaining(`${file}: ${report}`)])
})

test.each([
  ['fr', "l'équipe", 'apostrophe'],
  ['en', '"quoted"', 'quotes'],
  ['fr', 'Note: deux points', 'colon'],
  ['fr', 'Note :', 'colon'],
  ['fr', '10%', 'percent'],
  ['fr', 'à 9 h', 'units'],
  ['fr', 'dans {minutes} min', 'units'],
  ['fr', '«serré»', 'guillemets'],
  ['fr', 'Vraiment ?', 'punctuation'],
  ['fr', '10 000', 'thousands'],
  ['en', 'two  spaces', 'spaces'],
  ['fr', 'fine\u202f!', 'fonts'],
  ['en', '<b>bold</b>', 'markup'],
] as const)('in %s, the typography is wrong: %j', (language, text, rule) => {
  expect(findTypographyRules(text, language)).toContain(rule)
})
