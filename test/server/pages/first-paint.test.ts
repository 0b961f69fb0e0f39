import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { weigh } from '../../support/weight.ts'
import { get, setUpSite } from '../setup.ts'

/** About ten packets: as many as the server may send at once on a new connection. */
const ROUND_TRIP_BYTES = 14_000

setUpSite()

const paths = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page', '/%zz']
const cases = LANGUAGES.flatMap((language) => paths.map((path) => `${path}?lang=${language}`))

const load = async (path: string) => {
  const { text, headers } = await get(path)
  return { html: text, policy: headers['content-security-policy'] ?? '' }
}
const getHash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** Tries a quick compression first, because only the largest pages need the best compression. */
const fits = (html: string) =>
  [5, constants.BROTLI_MAX_QUALITY].some((quality) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
    return brotliCompressSync(html, { params }).length < ROUND_TRIP_BYTES
  })
/** Splits a document into the parts before, inside and after the template that waits for the first paint. */
const split = (html: string) => html.split(/<template id="after-paint">(.*?)<\/template>/s)

test.each(cases)(
  '%s has its styles inline, waits for its splash, and fits into one round trip',
  async (path) => {
    const { html, policy } = await load(path)
    const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)]
    expect(styles).toHaveLength(1)
    expect(policy.split(';')).toContain(`style-src ${getHash(styles[0]?.[1])}`)
    expect(policy.split(';')).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(html).not.toMatch(/ style=| on\w+="/)
    // Chromium paints once it has read the start of #state, which follows the page. Other browsers may paint earlier, so the splash must come first.
    expect(html).toContain('<link rel="expect" href="#state" blocking="render"')
    expect(html).toContain(
      '<div id="root"><div class="splash-frame"><div id="splash" class="splash"',
    )
    expect(fits(html)).toBe(true)
  },
)

/** Maximum size of the boot script, the only script before the first paint. */
const MAX_BOOT_BYTES = 650

test.each(cases)('%s loads only a small script before its first paint', async (path) => {
  const [before = '', held = '', after = ''] = split((await load(path)).html)
  const scripts = [...(before + after).matchAll(/<script[^>]* src="([^"]+)"[^>]*>/g)]
  expect(scripts.map(([, source = '']) => weigh(source) < MAX_BOOT_BYTES)).toEqual([true])
  expect(before + after).not.toMatch(/rel="(?:stylesheet|preload|modulepreload|prefetch)"/)
  expect(held).toMatch(/<script type="module" src="\/assets\/entry-client-/)
})

test.each(LANGUAGES)('%s: a page preloads only its own scripts', async (language) => {
  const getNames = async (path: string) => {
    const [, held = ''] = split((await load(`${path}?lang=${language}`)).html)
    const names = [...held.matchAll(/"\/assets\/([^"]+)-[\w-]{8}\.js"/g)].map(([, name]) => name)
    return [...new Set(names)].sort()
  }
  const always = ['entry-client', `frame.${language}`]
  expect(await getNames('/')).toEqual([...always, 'home', `home.${language}`].sort())
  expect(await getNames('/health-safety')).toEqual(
    [...always, 'sector', `health-safety.${language}`].sort(),
  )
  expect(await getNames('/contact')).toEqual([...always, 'contact', `contact.${language}`].sort())
  expect(await getNames('/no-such-page')).toEqual(always)
})
