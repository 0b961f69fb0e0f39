import { en } from '../../shared/content/index.ts'
import { openWithoutBanner, skipSplash } from '../../tools/harness/browser.ts'
import { translate } from '../support/translator.ts'
import { page, setUpVisits, site, visit } from '../support/visits.ts'
import {
  banner,
  fillForm,
  follow,
  holdBack,
  readForm,
  submit,
  summary,
  TYPED,
  toast,
  toggle,
} from './steps.ts'

setUpVisits()
beforeEach(() => visit())

/** Opens a page that is hydrated only after the returned function is called. */
async function openUnhydrated(path: string): Promise<() => void> {
  const hydrate = await holdBack('**/assets/entry-client-*.js')
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
  await submit().click()
  await toast().evaluate((blocked) => blocked.remove())
  const report = page.waitForResponse('**/api/client-errors')
  await toggle().click()
  await report
  await summary().filter({ hasText: en.contact.faults['too-fast'] }).waitFor()
  await follow('/services')
  await page.locator('.service-card').first().waitFor()
})
