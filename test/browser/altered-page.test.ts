import { en } from '../../shared/content/index.ts'
import { open, openWithoutBanner, skipSplash } from '../../tools/harness/browser.ts'
import { translate } from '../support/translator.ts'
import { context, noise, page, setUpVisits, site, visit } from '../support/visits.ts'
import {
  banner,
  fillForm,
  follow,
  holdBack,
  readForm,
  STILL,
  submitLater,
  summary,
  TYPED,
  takeReports,
  toast,
  toggle,
} from './steps.ts'

setUpVisits()
beforeEach(() => visit(STILL))

/** APIs that a page uses at its start, here or in its libraries. A test spoils all of a row together. */
const APIS = [
  ['Element.prototype.getAnimations'],
  ['FontFace', 'FontFaceSet.prototype.add', 'Navigator.prototype.userActivation', 'print'],
  ['Performance.prototype.getEntriesByType', 'requestIdleCallback'],
  ['localStorage', 'sessionStorage', 'Document.prototype.cookie'],
  ['matchMedia', 'IntersectionObserver', 'fetch', 'History.prototype.scrollRestoration'],
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
    await context.addInitScript(spoil, spoiled)
    await page.goto(`${site.url}/contact`)
    await skipSplash(page)
    await banner().waitFor()
    // Playwright's click needs some of these APIs. This button has no tooltip, whose library needs them too.
    await page.locator('.footer [name=lang]').press('Enter')
    await page.locator('html[lang=en]').waitFor()
    await banner().locator('.actions button').first().press('Enter')
    await banner().waitFor({ state: 'detached' })
    expect(noise).toEqual([])
    expect(takeReports()).toEqual([])
  },
)

test('a tooltip whose library fails leaves its control', async () => {
  await context.addInitScript(spoil, { apis: ['IntersectionObserver'], fault: 'throw when called' })
  const report = page.waitForResponse('**/api/client-errors')
  await open(page, site.url)
  await toggle().hover()
  await report
  await page.locator('.toggle').press('Enter')
  await page.locator('html[lang=en]').waitFor()
})

/** Opens a page that is hydrated only after the returned function is called. */
async function openUnhydrated(path: string): Promise<() => void> {
  const hydrate = await holdBack('**/assets/hydrate-*.js')
  await page.goto(site.url + path, { waitUntil: 'commit' })
  await page.locator('.footer').waitFor()
  return hydrate
}

const insertBeside = () => {
  for (const input of document.querySelectorAll('.field input'))
    input.before(document.createElement('div'))
}
const insertAfter = () => {
  for (const input of document.querySelectorAll('.field :is(input, textarea)'))
    input.after(document.createElement('grammar-checker'))
}
const wrap = () => {
  for (const input of document.querySelectorAll('.field input')) {
    const wrapper = document.createElement('span')
    input.replaceWith(wrapper)
    wrapper.append(input)
  }
}

const removeLaterSplash = () => {
  const remove = () => document.getElementById('splash')?.remove()
  new MutationObserver(remove).observe(document, { childList: true, subtree: true })
}

test.each([
  ['nobody', () => {}],
  ['a password manager that inserts', insertBeside],
  ['a checker that appends', insertAfter],
  ['an extension that wraps', wrap],
  ['a translation', translate],
  ['a blocker that removes the splash', removeLaterSplash],
])('text and focus in a form that %s changed before hydration are kept', async (_, change) => {
  const hydrate = await openUnhydrated('/contact')
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

test('a splash that has ended does not return when the page is rendered again', async () => {
  const hydrate = await openUnhydrated('/contact')
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
  await openWithoutBanner(page, `${site.url}/contact`)
  await page.evaluate(insertBeside)
  await page.evaluate(insertAfter)
  await page.evaluate(wrap)
  await submitLater()
  await toast().evaluate((blocked) => blocked.remove())
  const report = page.waitForResponse('**/api/client-errors')
  await toggle().click()
  await report
  await summary().filter({ hasText: en.contact.faults.required }).waitFor()
  await follow('/services')
  await page.locator('.service-card').first().waitFor()
})
