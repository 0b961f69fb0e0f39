import { LANGUAGES, type Language } from '../../shared/language.ts'
import {
  type Browser,
  hasFonts,
  open,
  openBrowser,
  type Page,
} from '../../tools/harness/browser.ts'
import { findLayoutFaults } from '../../tools/harness/layout-rules.ts'
import { openSite, type Site } from '../support/site.ts'
import { listPaths, STILL } from './steps.ts'

const PHONE = { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true }
const LONG_ADDRESS = 'responsable.vie.privee@groupe-rg-consultation.ca'

/** The text spacing of WCAG 1.4.12. */
const WIDE_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
  p { margin-block-end: 2em !important }`

const HOME_WIDTHS = [360, 390, 480, 700, 800, 959, 1040, 1200, 1280, 1536, 1920]
/** At these widths, only the pages of different layouts are checked. */
const MORE_WIDTHS = [480, 700, 1280]
const LAYOUTS = ['/secteurs-activite', '/services', '/contact', '/public-safety']

/** With the bars of the browser: an iPhone, two phones of 360 px, the smallest ones. */
const PHONES = [
  { width: 390, height: 664 },
  { width: 360, height: 616 },
  { width: 375, height: 553 },
  { width: 320, height: 640 },
]

let site: Site
/** Browsers whose scrollbars take room, as on Windows: one with the usual text size, one with 200 %. */
let browser: Browser
let magnifier: Browser
beforeAll(async () => {
  site = await openSite({ realTime: true })
  browser = await openBrowser(undefined, { hasScrollbars: true })
  magnifier = await openBrowser(undefined, { hasScrollbars: true, textSizePx: 32 })
})
afterAll(async () => {
  await magnifier.close()
  await browser.close()
  await site.stop()
})

/** Opens the home page; `go` then leads to the others without loading a document. */
async function openHome(
  within: Browser,
  language: Language,
  options: Parameters<Browser['newPage']>[0] = {},
) {
  const page = await within.newPage({ ...STILL, ...options })
  await open(page, `${site.url}/?lang=${language}`)
  await page.locator('.cookie-banner').waitFor()
  await page.waitForFunction(hasFonts)
  return page
}

async function go(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname === path) return
  await page.evaluate((next) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    history.pushState(null, '', next)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
}

/** Runs in the page: replaces the style of the last call. */
function setStyle(style: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
}

/** WCAG 2.5.8 asks for 24 px; this site offers a finger 44. */
const TARGET_PX = { mouse: 24, finger: 44 }

/** Runs in the page. Lists the controls smaller than `min` px, except links in a sentence; a card is its link's size. */
function findSmallTargets(min: number): string[] {
  const controls = document.querySelectorAll(':is(a, button, summary, input, select, textarea)')
  return [...controls]
    .filter((control) => control.checkVisibility() && !control.matches('p a, .features a, .trap *'))
    .map((control) => {
      const target = control.closest('.card') ?? control
      return [target.getBoundingClientRect(), control.textContent] as const
    })
    .filter(([{ width, height }]) => Math.min(width, height) < min)
    .map(([{ width, height }, text]) => `${text} is ${width} x ${height}`)
}

/** Runs in the page. Lists the words of names, titles and buttons that break, and the texts under a drawn sheet. */
function findSpoiltTexts(): string[] {
  const listBoxes = (node: Node, start: number, end: number) => {
    const range = new Range()
    range.setStart(node, start)
    range.setEnd(node, end)
    return [...range.getClientRects()]
  }
  const names = document.querySelectorAll(
    '.hero-panel span, .plate span, .card a, .strongest p, .cookie-banner button, h1, h2, h3',
  )
  const broken = [...names].flatMap(({ firstChild: text }) =>
    [...(text?.nodeValue ?? '').matchAll(/[^\s-]+/g)]
      .filter(
        ({ 0: word, index }) => text && listBoxes(text, index, index + word.length).length > 1,
      )
      .map(([word]) => `${word} is broken`),
  )
  const sheets = [...document.querySelectorAll('.deliverables .sheet')]
  const covered = sheets.flatMap((sheet) => {
    const over = sheet.getBoundingClientRect()
    const texts = [...(sheet.parentElement?.querySelectorAll('li, p') ?? [])]
    return texts
      .filter((text) =>
        listBoxes(text, 0, text.childNodes.length).some(
          ({ left, right, top, bottom }) =>
            left < over.right && right > over.left && top < over.bottom && bottom > over.top,
        ),
      )
      .map((text) => `a sheet covers ${text.textContent}`)
  })
  return [...broken, ...covered]
}

/** Runs in the page. Lists the parts of the first screen that the banner covers, and what else a phone must show otherwise. */
function findPhoneFaults(): string[] {
  const find = (selector: string) => document.querySelector(selector)
  const getTop = (selector: string) => find(selector)?.getBoundingClientRect().top ?? Infinity
  const getTextSize = (selector: string) =>
    Number.parseFloat(getComputedStyle(find(selector) ?? document.body).fontSize)
  const shown = [
    ...document.querySelectorAll('.hero-panel span, #form-title'),
    find('.hero .button:not(.to-form)'),
  ].filter((each) => each !== null)
  return [
    ...shown
      .filter((each) => each.getBoundingClientRect().bottom > getTop('.cookie-banner'))
      .map((each) => `the banner covers ${each.textContent}`),
    getTextSize('.lead') > getTextSize('body') ? '' : 'the lead is not larger than the text',
    getTop('.contact-form') <= getTop('.contact .facts') ? '' : 'the facts come before the form',
    find('.deliverables:not(:has(.sheet))') ? 'a deliverable has no sheet' : '',
  ].filter(Boolean)
}

/** Runs in the page. The banner takes half the window at most. */
function findTallBanner(): string[] {
  const height = document.querySelector('.cookie-banner')?.clientHeight ?? Infinity
  return height > innerHeight / 2 ? [`the banner is ${height} high`] : []
}

/** Styles, and the rules that hold with them. */
const USUAL = { style: '', rules: [findLayoutFaults, findSmallTargets, findSpoiltTexts] }
const SPACED = { style: WIDE_SPACING, rules: [findLayoutFaults] }
const LARGE = { style: '', rules: [...USUAL.rules, findTallBanner] }

async function findFaults(page: Page, widths: number[], ...looks: (typeof LARGE)[]) {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    for (const { style, rules } of looks) {
      await page.evaluate(setStyle, style)
      for (const rule of rules) {
        const found = await page.evaluate(rule, TARGET_PX.mouse)
        faults.push(...found.map((fault) => `${page.url()} at ${width}: ${fault}`))
      }
    }
  }
  return faults
}

describe.each(LANGUAGES)('%s, with scrollbars', (language) => {
  const [home = '', ...others] = listPaths(language)
  let page: Page
  beforeAll(async () => {
    page = await openHome(browser, language, { viewport: { width: 320, height: 800 } })
  })
  afterAll(() => page.context().close())

  test('no page passes the edge, no control is covered, cut or small, no name is broken, also with wide spacing', async () => {
    await page.locator('.menu summary').press('Enter')
    const faults = [
      ...(await findFaults(page, HOME_WIDTHS, USUAL)),
      ...(await findFaults(page, [360, 800, 1280], SPACED)),
    ]
    for (const path of [...others, home]) {
      await go(page, path)
      for (const link of await page.locator('main a[href^="mailto:"]').all())
        await link.evaluate((shown, text) => shown.replaceChildren(text), LONG_ADDRESS)
      const widths = LAYOUTS.includes(path) ? [768, ...MORE_WIDTHS] : [768]
      faults.push(...(await findFaults(page, widths, USUAL)))
      faults.push(...(await findFaults(page, [320], USUAL, SPACED)))
    }
    expect(faults).toEqual([])
  })

  test('the open menu dims the hero and takes its presses', async () => {
    await go(page, '/')
    await page.setViewportSize({ width: 800, height: 1100 })
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.locator('.menu:not([open]) summary').click()
    const isDimmed = await page.evaluate(() =>
      ['.hero-panel', '.plate', '.hero-words'].map((part) => {
        const { left, right, bottom } =
          document.querySelector(part)?.getBoundingClientRect() ?? new DOMRect()
        const hit = document.elementFromPoint((left + right) / 2, bottom - 8)
        return hit?.closest('.menu, .nav') !== null
      }),
    )
    expect(isDimmed).toEqual([true, true, true])
  })
})

test.each(LANGUAGES)(
  '%s, text of 200 %%: no page passes the edge, no control is covered or cut',
  async (language) => {
    const page = await openHome(magnifier, language, { viewport: { width: 320, height: 800 } })
    await page.locator('.menu summary').press('Enter')
    const faults = await findFaults(page, [360, 390, 768, 1280], LARGE)
    for (const path of listPaths(language).toReversed()) {
      await go(page, path)
      faults.push(...(await findFaults(page, [320], LARGE)))
    }
    expect(faults).toEqual([])
    await page.context().close()
  },
)

describe.each(LANGUAGES)('%s, a phone', (language) => {
  let page: Page
  beforeAll(async () => {
    page = await openHome(browser, language, PHONE)
  })
  afterAll(() => page.context().close())

  test('shows names, the first button and the heading of the form above the banner, and offers a finger its size', async () => {
    for (const path of listPaths(language)) {
      await go(page, path)
      for (const size of path === '/' || LAYOUTS.includes(path) ? PHONES : []) {
        await page.setViewportSize(size)
        expect([path, size, await page.evaluate(findPhoneFaults)]).toEqual([path, size, []])
      }
      await page.setViewportSize(PHONE.viewport)
      expect([path, await page.evaluate(findSmallTargets, TARGET_PX.finger)]).toEqual([path, []])
    }
  })

  test('shows each field of the form that gets the focus, the first one without scrolling', async () => {
    await page.setViewportSize({ width: 390, height: 664 })
    await go(page, '/contact')
    const first = page.locator('#firstName')
    expect(await first.evaluate((field) => field.getBoundingClientRect().bottom)).toBeLessThan(664)
    await first.focus()
    for (const id of ['lastName', 'email', 'service', 'message']) {
      await page.keyboard.press('Tab')
      const place = await page.evaluate(() => {
        const { top = 0 } = document.activeElement?.getBoundingClientRect() ?? {}
        const banner = document.querySelector('.cookie-banner')?.getBoundingClientRect().top ?? 0
        return { id: document.activeElement?.id, isInSight: top > 0 && top + 44 < banner }
      })
      expect(place).toEqual({ id, isInSight: true })
    }
  })
})
