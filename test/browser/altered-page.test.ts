import { en } from '../../shared/content/index.ts'
import { openWithoutBanner, skipSplash } from '../../tools/harness/browser.ts'
import { translate } from '../support/translator.ts'
import { addScript, noise, page, revisit, setUpVisits, site } from '../support/visits.ts'
import {
  banner,
  fillForm,
  follow,
  holdBack,
  readForm,
  submit,
  submitLater,
  summary,
  TYPED,
  takeReports,
  toast,
  toggle,
} from './steps.ts'

setUpVisits()

/** APIs that a page uses at its start, here or in its libraries. A test spoils all of a row together. */
const APIS = [
  [
    'Element.prototype.getAnimations',
    'localStorage',
    'sessionStorage',
    'Document.prototype.cookie',
  ],
  [
    ...['FontFace', 'FontFaceSet.prototype.add', 'Navigator.prototype.userActivation', 'print'],
    ...['Performance.prototype.getEntriesByType', 'requestIdleCallback', 'matchMedia', 'fetch'],
    ...['IntersectionObserver', 'History.prototype.scrollRestoration'],
    'Element.prototype.scrollIntoView',
  ],
]
const FAULTS = ['missing', 'throw when read', 'throw when called']

/** Runs in the page, before its scripts. */
function spoil({ apis, fault }: { apis: string[]; fault: string }): void {
  for (const api of apis) {
    const names = api.split('.')
    const name = names.pop() ?? ''
    const owner = names.reduce((object, key) => Reflect.get(object, key), window as object)
    const fail = () => {
      throw new TypeError(`${api} is spoiled`)
    }
    const failing = new Proxy(class {}, { apply: fail, construct: fail })
    if (fault === 'missing') Reflect.deleteProperty(owner, name)
    else
      Object.defineProperty(
        owner,
        name,
        fault === 'throw when read' ? { get: fail, set: fail } : { value: failing },
      )
  }
}

test.each(APIS.flatMap((apis) => FAULTS.map((fault) => ({ apis, fault }))))(
  'a page comes alive where $apis $fault',
  async (spoiled) => {
    await revisit()
    await addScript(spoil, spoiled)
    await page.goto(`${site.url}/contact`)
    await skipSplash(page)
    await banner().waitFor()
    // Playwright's click needs some of these APIs. This button has no tooltip, whose library needs them too.
    await page.locator('.footer [name=lang]').press('Enter')
    await page.locator('html[lang=en]').waitFor()
    await banner().locator('.actions button').first().press('Enter')
    await banner().waitFor({ state: 'detached' })
    await submit().press('Enter')
    await summary().waitFor()
    expect(noise).toEqual([])
    expect(takeReports()).toEqual([])
  },
)

/** Opens a form that is hydrated only after the returned function is called. */
async function openUnhydrated(): Promise<() => void> {
  await revisit()
  const hydrate = await holdBack('**/assets/hydrate-*.js')
  await page.goto(`${site.url}/contact`, { waitUntil: 'commit' })
  await page.locator('.footer').waitFor()
  return hydrate
}

function extend(): void {
  for (const field of document.querySelectorAll('.field :is(input, textarea)')) {
    field.before(document.createElement('div'))
    field.after(document.createElement('grammar-checker'))
    const wrapper = document.createElement('span')
    field.replaceWith(wrapper)
    wrapper.append(field)
  }
}

function removeLaterSplash(): void {
  const remove = () => document.getElementById('splash')?.remove()
  new MutationObserver(remove).observe(document, { childList: true, subtree: true })
}

test.each([
  ['nobody', () => {}],
  ['an extension that inserts, appends and wraps', extend],
  ['a translation', translate],
  ['a blocker that removes the splash', removeLaterSplash],
])('text and focus in a form that %s changed before hydration are kept', async (_, change) => {
  const hydrate = await openUnhydrated()
  await fillForm()
  await page.evaluate(change)
  await page.locator('#email').focus()
  hydrate()
  await skipSplash(page)
  expect(await readForm()).toEqual(TYPED)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('email')
  // The toggle works, so the page was hydrated.
  await toggle().click()
  await page.locator('h1', { hasText: en.contact.headline }).waitFor()
  expect(await readForm()).toEqual(TYPED)
})

test('a splash that has ended does not return when a translated page is rendered again', async () => {
  const hydrate = await openUnhydrated()
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
    document.getElementById('splash')?.setAttribute('data-old', '')
  })
  await page.evaluate(translate)
  hydrate()
  await page.locator('[data-old]').waitFor({ state: 'detached' })
  expect(await page.locator('.splash').isVisible()).toBe(false)
  await banner().waitFor()
})

test('elements that extensions insert or wrap, and the removal of the toast, do not disturb a hydrated form', async () => {
  await revisit()
  await openWithoutBanner(page, `${site.url}/contact`)
  await page.evaluate(extend)
  await submitLater()
  await toast().evaluate((blocked) => blocked.remove())
  const report = page.waitForResponse('**/api/browser-errors')
  await toggle().click()
  await report
  await summary().filter({ hasText: en.contact.form.missing.firstName }).waitFor()
  await follow('/services')
  await page.locator('.service-card').first().waitFor()
})
