import { createHash } from 'node:crypto'
import { HtmlValidate } from 'html-validate'
import { LANGUAGES, type Language } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { FORM_STATES, openFormState } from '../../support/form-states.ts'
import { findForeign, getWords } from '../../support/languages.ts'
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
    // The rule counts `&amp;` as five characters. The check of the content limits titles.
    'long-title': 'off',
  },
})

setUpSite()

const addresses = [
  ...pages.flatMap(({ path, status }) => (path ? [{ path, status }] : [])),
  { path: '/no-such-page', status: 404 },
  { path: '/%zz', status: 400 },
]

async function checkTexts(html: string, language: Language): Promise<void> {
  const { results } = await validator.validateString(html)
  const faults = results.flatMap(({ messages }) => messages)
  expect(faults.map(({ ruleId, message, selector }) => ({ ruleId, message, selector }))).toEqual([])
  expect(findForeign(getWords(html), language)).toEqual([])
}

const getHash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe.each(LANGUAGES)('in %s', (language) => {
  const load = (path: string) => get(`${path}?lang=${language}`)

  test.each(addresses)('$path is $status, valid, and of one language', async ({ path, status }) => {
    const { text, headers } = await load(path).expect(status)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(/<html lang="(\w+)"/.exec(text)?.[1]).toBe(language)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text.match(/<meta name="description" content="[^"]{50,}"/g)).toHaveLength(1)
    await checkTexts(text, language)
    // The policy allows no script and no style in the document but the hashed styles.
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
    for (const script of scripts)
      expect(script).toMatch(/ src="\/assets\/|type="application\/(?:ld\+)?json"/)
    expect(text.match(/ style="| on\w+="/g)).toBeNull()
    const styles = [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)]
    for (const [, style] of styles)
      expect(headers['content-security-policy']).toContain(getHash(style))
  })

  test('every page has its own title', async () => {
    const own = addresses.filter(({ path, status }) => status === 200 && path !== '/privacy-policy')
    const titles = await Promise.all(
      own.map(async ({ path }) => /<title>([^<]+)</.exec((await load(path)).text)?.[1]),
    )
    expect(new Set(titles).size).toBe(own.length)
  })

  test('links to pages and to parts of a page lead to them', async () => {
    const texts = new Map<string, string>()
    const links: string[] = []
    for (const { path } of addresses) {
      const { text } = await load(path)
      texts.set(path, text)
      for (const [, page, id] of text.matchAll(/<a [^>]*href="(\/?[^"?#:]*)[^"#:]*#?([^":]*)"/g))
        links.push(`${page || path}#${id}`)
    }
    expect(links).toContain('/public-safety#')
    const missing = [...new Set(links)].filter((link) => {
      const [page = '', id] = link.split('#')
      const text = texts.get(page)
      return !text || (id && !text.includes(` id="${id}"`))
    })
    expect(missing).toEqual([])
  })

  test.each(FORM_STATES)('a form with %s is valid and in one language', async (state) => {
    await checkTexts(await openFormState(site, language, state), language)
  })
})
