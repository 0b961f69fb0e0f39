import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTexts } from '../../shared/content/company.ts'
import { checkContent } from '../../tools/content/check-content.ts'
import { findTypographyRules } from '../../tools/content/check-text.ts'
import french from '../../tools/content/fr.json' with { type: 'json' }
import { DATA_PERIODS, PRESCRIBED, STORED_WORDS } from '../../tools/content/prescribed.ts'
import { run } from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

const NBSP = '\u00a0'
const scratch = createFolder()

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
    meta: { description: `Firm answers by telephone and by email${', every day'.repeat(4)}` },
    form: {
      limit: { one: '{count} message', other: '{count} messages' },
      messageHint: 'From {min} to {max}',
    },
  },
  divisions: {
    meta: { description: `Help for land, water, air and fire${', every day'.repeat(4)}` },
    items: {
      a: { title: 'Land', tags: ['hill', 'field'] },
      b: { title: 'Water', tags: ['lake'] },
      c: { title: 'Air', tags: ['wind'] },
      d: { title: 'Fire', tags: ['wood'] },
    },
  },
  errors: { problems: { 'limit-reached': '{limit} {minutes} {phone} {email}' } },
  footer: { rights: '© {name}' },
  hero: { headline: 'Hello', services: { title: 'Three', intro: 'First' } },
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
type Content = ReturnType<typeof createContent>

function writeContent({ company, ...languages }: Content): string {
  const folder = mkdtempSync(join(scratch, 'content-'))
  writeFileSync(join(folder, 'company.json'), JSON.stringify(company))
  for (const [language, files] of Object.entries(languages)) {
    mkdirSync(join(folder, language))
    for (const [name, json] of Object.entries(files))
      writeFileSync(join(folder, language, `${name}.json`), JSON.stringify(json))
  }
  return folder
}

test('the content of the site is in order, and so is the content of this test', () => {
  expect(checkContent(join(ROOT, 'shared/content'), 'en').faults).toEqual([])
  const { faults, warnings } = checkContent(writeContent(createContent()), 'en')
  expect([faults, warnings]).toEqual([[], []])
})

test('facts that are placeholders are named', () => {
  const content = createContent()
  content.company.phone = '+16135550199'
  const { warnings } = checkContent(writeContent(content), 'en')
  expect(warnings).toEqual([
    'warning: shared/content/company.json, key phone: still a placeholder.',
  ])
})

const { assign } = Object
const getTable = ({ privacy }: typeof TEXTS) => privacy.sections[0]?.body[1] as { table: object }

test.each<[report: string, edit: (content: Content) => unknown]>([
  [
    'en/hero.json, key heading: the other language',
    ({ en }) => assign(en.hero, { headline: undefined, heading: 'Hello' }),
  ],
  [
    'en/brand.json, key name: this must be a text in quotation marks',
    ({ en }) => assign(en.brand, { name: 7 }),
  ],
  [
    'en/divisions.json, key items.a.tags: the two languages differ',
    ({ en }) => assign(en.divisions.items.a, { tags: 'hill' }),
  ],
  [
    'en/divisions.json, key items.a.tags: give both lists the same number of items: French has 2, this one has 1',
    ({ en }) => en.divisions.items.a.tags.pop(),
  ],
  [
    'en/privacy.json, key sections[0].body[0]: the two',
    ({ en }) => assign(en.privacy.sections[0]?.body ?? [], [{ list: ['x'] }]),
  ],
  [
    'fr/privacy.json, key sections[0].body[0]: the site cannot fill in {mail}; it knows here: {name}',
    ({ fr }) => assign(fr.privacy.sections[0]?.body ?? [], ['{mail}']),
  ],
  [
    'en/hero.json, key headline: the site cannot fill in {phone}; it knows here: none: “Call {phone}”',
    ({ en }) => assign(en.hero, { headline: 'Call {phone}' }),
  ],
  [
    'en/contact.json, key form.limit.one: put {count} back',
    ({ en }) => assign(en.contact.form.limit, { one: 'message' }),
  ],
  [
    'en/errors.json, key problems.limit-reached: put {phone} back',
    ({ en }) => assign(en.errors.problems, { 'limit-reached': '{limit} {email}' }),
  ],
  [
    'en/privacy.json, key sections[0].body[0]: both languages must use the same words in braces: French has none, this text has {name}',
    ({ en }) => assign(en.privacy.sections[0]?.body ?? [], ['{name}']),
  ],
  [
    'fr/footer.json, key rights: a brace is alone',
    ({ fr }) => assign(fr.footer, { rights: '{prénom} {name}' }),
  ],
  [
    'fr/footer.json, key rights: a brace is alone',
    ({ fr }) => assign(fr.footer, { rights: '{name} {name' }),
  ],
  [
    'company.json, key phone: this is not a telephone number',
    ({ company }) => assign(company, { phone: '613-222-2222' }),
  ],
  [
    'company.json, key links.site: this link does not have the right form',
    ({ company }) => assign(company.links, { site: 'firm.test' }),
  ],
  [
    'company.json, key links.x: this link does not have the right form',
    ({ company }) => assign(company.links, { x: 'https://y.com/firm' }),
  ],
  [
    'company.json, key registrations.canada: this is not a registration',
    ({ company }) => assign(company.registrations, { canada: 'n/a' }),
  ],
  [
    'company.json, key registrations.ontario[1]: this key is missing',
    ({ company }) => company.registrations.ontario.pop(),
  ],
  [
    'company.json, key telephone: nothing on the site uses this key',
    ({ company }) => assign(company, { telephone: 'x' }),
  ],
  [
    'company.json, key address.en.street: the two languages give',
    ({ company }) => assign(company.address.en, { street: '13 Bridge Street' }),
  ],
  [
    'company.json, key address.en.postalCode: the two languages give',
    ({ company }) => assign(company.address.en, { postalCode: 'K2P 1L5' }),
  ],
  [
    'company.json, key legalName.fr: this is empty',
    ({ company }) => assign(company.legalName, { fr: ' ' }),
  ],
  [
    'company.json, key address.fr.street: use the curly',
    ({ company }) => assign(company.address.fr, { street: "12, rue de l'Église" }),
  ],
  [
    'fr/divisions.json, key items.a.tags: two items',
    ({ fr }) => assign(fr.divisions.items.a, { tags: ['x', 'x'] }),
  ],
  [
    'fr/divisions.json, key items.a.tags: this list is empty',
    ({ fr }) => assign(fr.divisions.items.a, { tags: [] }),
  ],
  [
    'fr/privacy.json, key sections[0].body[1].table.rows: each row needs as many',
    ({ fr }) => assign(getTable(fr).table, { head: ['What'] }),
  ],
  [
    'en/contact.json, key meta.description: write 70 to 160 characters here, for search engines',
    ({ en }) => assign(en.contact.meta, { description: 'Firm' }),
  ],
  [
    'fr/hero.json, key headline: this text has 81 characters; write 80 at most',
    ({ fr }) => assign(fr.hero, { headline: 'x'.repeat(81) }),
  ],
  [
    'en/nav.json, key homeLink: this text names the firm: write its name as in brand.json, “New”',
    ({ en }) => assign(en.brand, { name: 'New' }),
  ],
  [
    'fr/contact.json, key meta.description: this text names the firm',
    ({ fr }) => assign(fr.brand, { name: 'New' }),
  ],
  [
    'en/contact.json, key meta.title: with the name in brand.json, “Firm”, this title has 72 characters',
    ({ en }) => assign(en.contact.meta, { title: `${'Contact us, '.repeat(5)}today` }),
  ],
  [
    'en/divisions.json, key meta.description: this text names the sectors, but not by their titles in divisions.json: write Flame',
    ({ en }) => assign(en.divisions.items.d, { title: 'Flame' }),
  ],
  [
    'fr/privacy.json, key sections: the policy must name what the site stores in the browser',
    ({ fr }) => assign(fr.privacy.sections[0]?.body ?? [], { 2: { list: ['{privacyEmail}'] } }),
  ],
  [
    'fr/privacy.json, key sections[0]: the table needs a row for each kind of data',
    ({ fr }) => (getTable(fr) as { table: { rows: unknown[] } }).table.rows.pop(),
  ],
])('reported: %s', (report, edit) => {
  const content = createContent()
  edit(content)
  const { faults } = checkContent(writeContent(content), 'en')
  expect(faults.filter((fault) => fault.startsWith(`shared/content/${report}`))).toHaveLength(1)
})

test.each(Object.entries(PRESCRIBED))(
  'the prescribed sentence %s is not changed',
  (place, sentences) => {
    const [file = '', ...steps] = place.split('.')
    const last = steps.pop() ?? ''
    for (const [language, sentence] of Object.entries(sentences)) {
      const inner = steps.reduceRight<object>((json, step) => ({ [step]: json }), {
        [last]: 'Changed',
      })
      const folder = writeContent(createContent())
      writeFileSync(join(folder, language, `${file}.json`), JSON.stringify(inner))
      const key = [...steps, last].join('.')
      expect(checkContent(folder, 'en').faults).toContain(
        `shared/content/${language}/${file}.json, key ${key}: the firm prescribes this sentence: put back “${sentence}”: “Changed”.`,
      )
    }
  },
)

test('a picture of shared links that shows an older text is named', () => {
  const drawn = { fr: { 'brand.name': 'Firme', 'hero.headline': 'Hello' } }
  const { faults, warnings } = checkContent(writeContent(createContent()), 'en', drawn)
  expect([faults, warnings]).toEqual([
    [],
    [
      'warning: shared/content/fr/brand.json, key name: the picture of shared links still shows “Firme”: run npm run share-pictures.',
    ],
  ])
})

test.each([
  ['en/news.json', '{}', 'the other language does not have this file'],
  ['fr/nav.json', '{ "label": "Menu français" }', 'save this file as UTF-8'],
  ['en/brand.json', '\uFEFF{}', 'save this file as UTF-8, without'],
])('%s with %s: %s', (file, text, report) => {
  const folder = writeContent(createContent())
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
