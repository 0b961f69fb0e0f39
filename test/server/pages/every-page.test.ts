import { HtmlValidate } from 'html-validate'
import { SECTORS } from '../../../shared/constants.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { LANGUAGES, type Language, LOCALES } from '../../../shared/language.ts'
import { getPath, pages } from '../../../shared/pages.ts'
import { FORM_STATES, openFormState } from '../../support/form-states.ts'
import { findForeign } from '../../support/languages.ts'
import { get, setUpSite, site } from '../setup.ts'

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // React writes `<br/>`, `required=""` and `autoComplete`; the standard allows all three.
    'void-style': 'off',
    'attribute-boolean-style': 'off',
    'attr-case': 'off',
    // Biome formats `<!doctype html>` in lower case.
    'doctype-style': 'off',
    // The rule asks for U+2011, which the fonts lack. CSS keeps each number on one line.
    'tel-non-breaking': 'off',
  },
})

setUpSite()

const addresses = [
  ...pages.flatMap(({ path, status }) => (path ? [{ path, status }] : [])),
  { path: '/no-such-page', status: 404 },
  { path: '/%zz', status: 400 },
]
const titleIn = (html: string) => /<title>([^<]+)<\/title>/.exec(html)?.[1]

async function findFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  )
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
/** Decodes entities and removes the comments with which React splits a text. */
const getWords = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')

async function checkTexts(html: string, language: Language): Promise<void> {
  expect(await findFaults(html)).toEqual([])
  expect(findForeign(getWords(html), language)).toEqual([])
}

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(addresses)(
    '$path answers $status with a whole, valid page in one language',
    async ({ path, status }) => {
      const { text, headers, status: answered } = await get(`${path}?lang=${language}`)
      expect(answered).toBe(status)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['cache-control']).toBe('private, no-cache')
      expect(text).toContain(`<html lang="${LOCALES[language]}"`)
      expect(text.match(/<h1/g)).toHaveLength(1)
      expect(text.match(/<meta name="description" content="[^"]{50,}"/g)).toHaveLength(1)
      const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
      for (const script of scripts)
        expect(script).toMatch(/ src="\/assets\/|type="application\/(?:ld\+)?json"/)
      const [, end] = text.split('</main>')
      expect(end).toContain(CONTENT[language].footer.formats)
      expect(text.trimEnd()).toMatch(/<\/html>$/)
      await checkTexts(text, language)
    },
  )

  test.each(FORM_STATES)('a form with %s is valid and in one language', async (state) => {
    const text = await openFormState(site, language, state)
    await checkTexts(text, language)
  })

  test('every page has its own title', async () => {
    const own = addresses.filter(({ path, status }) => status === 200 && path !== '/privacy-policy')
    const titles = await Promise.all(
      own.map(async ({ path }) => titleIn((await get(`${path}?lang=${language}`)).text)),
    )
    expect(new Set(titles).size).toBe(own.length)
  })
})

describe.each(LANGUAGES)('the content in %s', (language) => {
  const { divisions } = CONTENT[language]

  async function read(path: string) {
    const { text } = await get(`${path}?lang=${language}`)
    return text.split(/<main|<\/main>/)[1] ?? ''
  }

  test.each(SECTORS)(
    '%s gives reasons for us, and links to the three other sectors',
    async (sector) => {
      const main = await read(getPath(sector))
      for (const reason of divisions.items[sector].reasons)
        expect(main).toContain(`<li>${reason}</li>`)
      const linked = SECTORS.filter((other) => main.includes(`href="${getPath(other)}"`))
      expect(linked).toEqual(SECTORS.filter((other) => other !== sector))
    },
  )
})

test.each([
  ['fr', 'lang="en-CA"', 'Switch to English'],
  ['en', 'lang="fr-CA"', 'Passer au français'],
])('%s: both toggles speak the other language, and are marked so', async (...row) => {
  const [language, mark, name] = row
  const { text } = await get(`/?lang=${language}`)
  const toggles = text.match(/<button[^>]* name="lang".*?<\/button>/gs)
  expect(toggles).toEqual(Array(2).fill(expect.stringContaining(mark)))
  expect(toggles).toEqual(Array(2).fill(expect.stringContaining(name)))
  expect(text.split(name)).toHaveLength(3)
})

test('the checks find an error, and texts of the other language', async () => {
  expect(await findFaults('<!doctype html><p><div id="a"></div><div id="a"></div>')).not.toEqual([])
  const { text } = await get('/services?lang=en')
  expect(findForeign(getWords(text), 'fr').length).toBeGreaterThan(20)
})
