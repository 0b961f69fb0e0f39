import request from 'supertest'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { FORM_STATES, openFormState } from '../../support/form-states.ts'
import { findForeign } from '../../support/languages.ts'
import { type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY } from '../../support/visitors.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ environment: BEHIND_PROXY })
})
afterAll(() => site.stop())

const paths = [...pages.flatMap(({ path }) => path ?? []), '/no-such-page', '/%zz']
const states = LANGUAGES.flatMap((language) =>
  FORM_STATES.map((state) => [language, state] as const),
)
const cases = LANGUAGES.flatMap((language) => paths.map((path) => [language, path] as const))

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const decode = (html: string) =>
  html.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')

/** All that a document says, attributes and data included. */
const wordsOf = (html: string) => decode(html.replaceAll('<!-- -->', ''))

test.each(cases)('%s %s says nothing in the other language', async (language, path) => {
  const { text } = await request(site.url).get(`${path}?lang=${language}`)
  expect(findForeign(wordsOf(text), language)).toEqual([])
})

test.each(states)('%s: nor does a form with %s', async (language, state) => {
  const text = await openFormState(site, language, state)
  expect(findForeign(wordsOf(text), language)).toEqual([])
})

test.each([
  ['fr', 'lang="en-CA"', 'Switch to English'],
  ['en', 'lang="fr-CA"', 'Passer au français'],
])('%s: the toggle speaks the other language, and is marked so', async (language, mark, name) => {
  const { text } = await request(site.url).get(`/?lang=${language}`)
  const [toggle] = /<button[^>]* name="lang".*?<\/button>/s.exec(text) ?? []
  expect(toggle).toContain(mark)
  expect(toggle).toContain(name)
  expect(text.split(name)).toHaveLength(2)
})

test('the other page’s texts are found', async () => {
  const { text } = await request(site.url).get('/services?lang=en')
  expect(findForeign(wordsOf(text), 'fr').length).toBeGreaterThan(20)
})
