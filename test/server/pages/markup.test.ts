import { HtmlValidate } from 'html-validate'
import request from 'supertest'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { FORM_STATES, openFormState } from '../../support/form-states.ts'
import { type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY } from '../../support/visitors.ts'

/** The recommended rules, the WHATWG standard's and more, save matters of style that React decides. */
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // React writes `<br/>`, `required=""` and `autoComplete`; the standard allows all three.
    'void-style': 'off',
    'attribute-boolean-style': 'off',
    'attr-case': 'off',
    // Either case is right, and Biome writes the lower.
    'doctype-style': 'off',
    // The fonts have no U+2011; the style sheet keeps telephone numbers on one line.
    'tel-non-breaking': 'off',
  },
})

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

async function findFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  )
}

test.each(cases)('%s %s is valid', async (language, path) => {
  const { text } = await request(site.url).get(`${path}?lang=${language}`)
  expect(await findFaults(text)).toEqual([])
})

test.each(states)('%s: a form with %s is valid', async (language, state) => {
  const text = await openFormState(site, language, state)
  expect(await findFaults(text)).toEqual([])
})

test('the validator finds a fault', async () => {
  expect(await findFaults('<!doctype html><p><div id="a"></div><div id="a"></div>')).not.toEqual([])
})
