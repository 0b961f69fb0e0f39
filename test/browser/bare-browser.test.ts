import { open, skipSplash } from '../../tools/harness/browser.ts'
import { context, noise, page, setUpVisits, site, visit } from '../support/visits.ts'
import { banner, STILL, takeReports, toggle } from './steps.ts'

setUpVisits()

/** What the start of a page uses, here or in its libraries; each row is spoiled together. */
const APIS = [
  ['PerformanceObserver'],
  ['PerformanceObserver.prototype.observe'],
  ['Element.prototype.getAnimations'],
  ['FontFace', 'FontFaceSet.prototype.add', 'Navigator.prototype.userActivation'],
  ['Performance.prototype.getEntriesByType', 'Crypto.prototype.randomUUID', 'requestIdleCallback'],
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
    await visit(STILL)
    await context.addInitScript(spoil, spoiled)
    await page.goto(`${site.url}/contact`)
    await skipSplash(page)
    await banner().waitFor()
    // Playwright's click needs some of these APIs. This button has no tooltip, whose library needs them too.
    await page.locator('.footer [name=lang]').press('Enter')
    await page.locator('html[lang=en-CA]').waitFor()
    await banner().locator('.actions button').first().press('Enter')
    await banner().waitFor({ state: 'detached' })
    expect(noise).toEqual([])
    expect(takeReports()).toEqual([])
  },
)

test('a tooltip whose library fails leaves its control', async () => {
  await visit(STILL)
  await context.addInitScript(spoil, { apis: ['IntersectionObserver'], fault: 'throw when called' })
  await open(page, site.url)
  const report = page.waitForResponse('**/api/client-errors')
  await toggle().hover()
  await report
  await page.locator('.toggle').press('Enter')
  await page.locator('html[lang=en-CA]').waitFor()
})
