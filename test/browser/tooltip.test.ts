import { open } from '../../tools/harness/browser.ts'
import { noise, page, setUpVisits, site, visit } from '../support/visits.ts'
import { toggle, waitForLanguage } from './steps.ts'

setUpVisits()
beforeEach(async () => {
  await visit()
  await open(page, `${site.url}/services`)
})
afterEach(async () => {
  expect(noise).toEqual([])
})

const tooltip = () => page.locator('.tooltip')

test('its code is loaded by the first hover, and it opens after a delay', async () => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await toggle().hover()
  await page.mouse.move(5, 5)
  await toggle().hover()
  await tooltip().waitFor()
  expect(await tooltip().textContent()).toContain('Switch to English')
  expect(scripts.filter((url) => url.includes('radix-tooltip'))).toHaveLength(1)
})

test('the keyboard opens it, and the focus stays', async () => {
  while (!(await toggle().evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('Tab')
  }
  await tooltip().waitFor()
  expect(await toggle().evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await tooltip().waitFor({ state: 'detached' })
})

test('a press while its code is loading is not lost', async () => {
  const chunk = '**/radix-tooltip-*'
  const pressed = Promise.withResolvers<void>()
  await page.route(chunk, async (route) => {
    await pressed.promise
    await route.continue()
  })
  await toggle().hover()
  await page.mouse.down()
  const loaded = page.waitForResponse(chunk)
  pressed.resolve()
  await loaded
  await page.mouse.up()
  await waitForLanguage('en')
})
