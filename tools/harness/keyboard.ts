import type { Tab } from './engines/engine.ts'

const MAX_STOPS = 120

/** Playwright's page is one, too. */
type Page = Pick<Tab, 'evaluate' | 'keyboard'>

interface Stop {
  name: string
  /** Faults for visitors who use the keyboard. */
  faults: string[]
}

/** Examines the focused element; undefined at the end of the page. */
function look(isAgain: boolean): Stop | undefined {
  const FIRST_LINE = 24
  const element = document.activeElement
  if (!element || element === document.body || element.matches('[data-end]')) return undefined
  const last = document.querySelector('[data-walked]')
  const [box = new DOMRect()] = element.getClientRects()
  // Browsers scroll to the caret of a long text field, which is in its first line.
  const line = box.top + Math.min(box.height / 2, FIRST_LINE)
  const hit = document.elementFromPoint(box.left + box.width / 2, line)
  const style = getComputedStyle(element)
  const before = isAgain ? null : last
  last?.removeAttribute('data-walked')
  element.setAttribute('data-walked', '')
  const fits = box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth
  const follows =
    !before || before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
  const faults = [
    box.width < 1 || box.height < 1 || style.visibility !== 'visible' ? 'is invisible' : '',
    fits ? '' : `is outside the screen: ${JSON.stringify(box)}`,
    element.contains(hit) ? '' : `is covered by ${hit?.outerHTML.slice(0, 80)}`,
    style.outlineStyle === 'none' || style.outlineWidth === '0px' ? 'shows no focus' : '',
    follows ? '' : 'comes before the previous stop',
  ]
  return { name: element.outerHTML.slice(0, 90), faults: faults.filter(Boolean) }
}

/** Waits until the page no longer scrolls. */
async function settle(): Promise<void> {
  let before: number
  do {
    before = scrollY
    for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame)
  } while (scrollY !== before)
}

/** Moves the focus to a place before the first stop. */
export function startOver(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.querySelector('[data-walked]')?.removeAttribute('data-walked')
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
    window.scrollTo(0, 0)
  })
}

/** Firefox does not give the focus back to the next document once it has left a document for the browser's buttons. */
function setEnd(): void {
  document.querySelector('[data-end]')?.remove()
  const end = document.createElement('div')
  end.tabIndex = 0
  end.setAttribute('data-end', '')
  document.body.append(end)
}

/** Presses Tab up to the end of the document; resolves to the number of stops and all faults. */
export async function walk(page: Page): Promise<{ stops: number; faults: string[] }> {
  const faults: string[] = []
  await page.evaluate(setEnd)
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await page.keyboard.press('Tab')
    let stop = await page.evaluate(look, false)
    if (stop && stop.faults.length > 0) {
      await page.evaluate(settle)
      stop = await page.evaluate(look, true)
    }
    if (!stop) return { stops, faults }
    faults.push(...stop.faults.map((fault) => `${stop.name} ${fault}`))
  }
  return { stops: MAX_STOPS, faults: [...faults, 'the tab order has no end'] }
}
