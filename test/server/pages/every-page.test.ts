import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import { HtmlValidate } from 'html-validate'
import { CONTENT } from '../../../shared/content/index.ts'
import { LANGUAGES, type Language, otherLanguage } from '../../../shared/language.ts'
import { getPath, pages } from '../../../shared/pages.ts'
import { SECTORS } from '../../../shared/sectors.ts'
import { FORM_STATES, openFormState } from '../../support/form-states.ts'
import { findForeign, getWords } from '../../support/languages.ts'
import { weigh } from '../../support/weight.ts'
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
const titleIn = (html: string) => /<title>([^<]+)<\/title>/.exec(html)?.[1]

async function checkTexts(html: string, language: Language): Promise<void> {
  const { results } = await validator.validateString(html)
  const faults = results.flatMap(({ messages }) => messages)
  expect(faults.map(({ ruleId, message, selector }) => ({ ruleId, message, selector }))).toEqual([])
  expect(findForeign(getWords(html), language)).toEqual([])
}

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(addresses)('$path is $status, valid, and of one language', async ({ path, status }) => {
    const { text, headers } = await get(`${path}?lang=${language}`).expect(status)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(text).toContain(`<html lang="${language}"`)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text.match(/<meta name="description" content="[^"]{50,}"/g)).toHaveLength(1)
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
    for (const script of scripts)
      expect(script).toMatch(/ src="\/assets\/|type="application\/(?:ld\+)?json"/)
    const [, end] = text.split('</main>')
    expect(end).toContain(CONTENT[language].footer.formats)
    expect(text.trimEnd()).toMatch(/<\/html>$/)
    expect(end).not.toMatch(/href=""|<(dt|dd|h3|li)>(?:<dt|<dd|<\/)/)
    await checkTexts(text, language)
  })

  test('links to parts of a page lead to them', async () => {
    const load = async (path: string) => (await get(`${path}?lang=${language}`)).text
    const links: string[] = []
    for (const { path } of addresses) {
      const found = (await load(path)).matchAll(/ href="([^"?#]*)[^"#]*#([^"]+)"/g)
      for (const [, page, id] of found) links.push(`${page || path}#${id}`)
    }
    expect(links).toContain('/public-safety#offering-2')
    const missing: string[] = []
    for (const link of new Set(links)) {
      const [page = '', id] = link.split('#')
      if (!(await load(page)).includes(` id="${id}"`)) missing.push(link)
    }
    expect(missing).toEqual([])
  })

  test.each(FORM_STATES)('a form with %s is valid and in one language', async (state) => {
    await checkTexts(await openFormState(site, language, state), language)
  })

  test.each(SECTORS)('%s gives reasons, and links to the other sectors', async (sector) => {
    const { text } = await get(`${getPath(sector)}?lang=${language}`)
    const main = text.split(/<main|<\/main>/)[1] ?? ''
    for (const reason of CONTENT[language].divisions.items[sector].reasons)
      expect(main).toContain(`<li>${reason}</li>`)
    const linked = SECTORS.filter((other) => main.includes(`href="${getPath(other)}"`))
    expect(linked).toEqual(SECTORS.filter((other) => other !== sector))
  })

  test('every page has its own title', async () => {
    const own = addresses.filter(({ path, status }) => status === 200 && path !== '/privacy-policy')
    const titles = await Promise.all(
      own.map(async ({ path }) => titleIn((await get(`${path}?lang=${language}`)).text)),
    )
    expect(new Set(titles).size).toBe(own.length)
  })
})

test.each(LANGUAGES)('%s: all three toggles are marked as the other language', async (language) => {
  const { name } = CONTENT[language].nav.toggle
  const mark = `lang="${otherLanguage(language)}"`
  const { text } = await get(`/?lang=${language}`)
  const toggles = text.match(/<button[^>]* name="lang".*?<\/button>/gs)
  expect(toggles).toEqual(Array(3).fill(expect.stringContaining(mark)))
  expect(toggles).toEqual(Array(3).fill(expect.stringContaining(name)))
  expect(text.split(name)).toHaveLength(4)
})

/** About ten packets: as many as the server may send at once on a new connection. */
const ROUND_TRIP_BYTES = 14_500

const cases = LANGUAGES.flatMap((language) =>
  addresses.map(({ path }) => `${path}?lang=${language}`),
)

const getHash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** Tries a quick compression first, because only the largest pages need the best compression. */
function compress(html: string): number {
  const getSize = (quality: number) =>
    brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length
  const quick = getSize(5)
  return quick < ROUND_TRIP_BYTES ? quick : getSize(constants.BROTLI_MAX_QUALITY)
}
/** Maximum size of the script that waits for the first paint, and then loads the others. */
const MAX_ENTRY_BYTES = 2000

/** Some readers of shared links read no more of a page. */
const SHARED_LINK_BYTES = 4096

test.each(cases)('%s fits into one round trip, and paints before its scripts', async (path) => {
  const { text: html, headers } = await get(path)
  const bytes = Math.max(compress(html), ROUND_TRIP_BYTES)
  expect({ path, bytes }).toEqual({ path, bytes: ROUND_TRIP_BYTES })
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)]
  expect(styles).toHaveLength(1)
  const policy = headers['content-security-policy'] ?? ''
  const allowed = [`style-src 'self' ${getHash(styles[0]?.[1])}`, "script-src 'self'"]
  expect(policy.split(';')).toEqual(expect.arrayContaining(allowed))
  expect(policy).not.toContain('unsafe')
  expect(html).not.toMatch(/ style=| on\w+="/)
  // The page is painted while it arrives, so the splash comes first.
  expect(html).toContain('<div id="root"><div class="splash-frame"><div id="splash" class="splash"')
  const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"[^>]*>/g)]
  expect(scripts.map(([, source = '']) => weigh(source) < MAX_ENTRY_BYTES)).toEqual([true])
  // Nothing but the later styles, at the end.
  expect(html.match(/rel="(?:stylesheet|preload|modulepreload|prefetch)"/g)).toHaveLength(1)
  expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/later-[^"]+">\s*<\/body>/)
})

test.each(cases)('%s begins with its title and its picture for shared links', async (path) => {
  const { text: html } = await get(path)
  const start = Buffer.from(html).subarray(0, SHARED_LINK_BYTES).toString()
  expect(start).toContain('</title>')
  if (html.includes('property="og:')) expect(start).toContain('property="og:image:alt"')
})
