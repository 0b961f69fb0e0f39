import type { Tab } from './engines/engine.ts'

const MAX_STOPS = 120
/** Number of Tab presses between two checks whether the walk is over. */
const PRESSES = 10

/** Playwright's Page also fits this type. */
type Page = Pick<Tab, 'evaluate' | 'keyboard'>

interface Walk {
  stops: number
  faults: string[]
  isOver: boolean
}

declare global {
  interface Window {
    walk?: Walk & { remove(): void }
  }
}

/** Moves the focus to the start of the page, before the first tab stop. */
export function startOver(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
    window.scrollTo(0, 0)
  })
}

/** Runs in the page. From now on, each tab stop is examined before Tab leaves it. */
function beginWalk(maxStops: number): void {
  const FIRST_LINE = 24
  const MAX_FRAMES = 180
  // Without this last stop, Tab leaves the document in Firefox and does not come back.
  const end = document.createElement('div')
  end.tabIndex = 0
  document.body.append(end)
  const walk: Walk = { stops: 0, faults: [], isOver: false }
  let presses = 0
  let isSettling = false
  let last: Element | undefined

  function examine(stop: Element): string[] {
    const [box = new DOMRect()] = stop.getClientRects()
    // In a tall text field, browsers scroll to the caret, which is in the first line.
    const line = box.top + Math.min(box.height / 2, FIRST_LINE)
    const bottom = stop instanceof HTMLTextAreaElement ? line + FIRST_LINE / 2 : box.bottom
    const hit = document.elementFromPoint(box.left + box.width / 2, line)
    const style = getComputedStyle(stop)
    const fits = box.top >= 0 && bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth
    const follows =
      !last?.isConnected || last.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING
    const faults = [
      box.width < 1 || box.height < 1 || style.visibility !== 'visible' ? 'is invisible' : '',
      fits ? '' : `is outside the screen: ${JSON.stringify(box)}`,
      stop.contains(hit) ? '' : `is covered by ${hit?.outerHTML.slice(0, 80)}`,
      style.outlineStyle === 'none' || style.outlineWidth === '0px' ? 'shows no focus' : '',
      follows ? '' : 'comes before the previous stop',
    ]
    return faults.filter(Boolean).map((fault) => `${stop.outerHTML.slice(0, 90)} ${fault}`)
  }

  async function note(stop: Element): Promise<void> {
    walk.stops += 1
    isSettling = true
    // Wait: the browser may still scroll to the stop; on a busy machine, the scroll may begin late.
    for (let frame = 0; frame < MAX_FRAMES && examine(stop).length > 0; frame += 1)
      await new Promise(requestAnimationFrame)
    walk.faults.push(...examine(stop))
    isSettling = false
    last = stop
  }

  function listen(event: KeyboardEvent): void {
    if (event.key !== 'Tab') return
    const stop = document.activeElement ?? document.body
    const hasMoved = presses > 0 && stop !== last
    if (hasMoved && (stop === end || stop === document.body)) walk.isOver = true
    else if (hasMoved && !isSettling) note(stop)
    if (presses === maxStops && !walk.isOver) {
      walk.faults.push(`the tab order has no end within ${maxStops} stops`)
      walk.isOver = true
    }
    if (walk.isOver || isSettling) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else presses += 1
  }

  addEventListener('keydown', listen, true)
  const remove = () => {
    removeEventListener('keydown', listen, true)
    end.remove()
  }
  window.walk = Object.assign(walk, { remove })
}

/** Moves with Tab to the end of the document, at most MAX_STOPS times; resolves to the number of stops and all faults. */
export async function walk(page: Page): Promise<Pick<Walk, 'stops' | 'faults'>> {
  await page.evaluate(beginWalk, MAX_STOPS)
  const look = () =>
    page.evaluate(() => {
      const { walk } = window
      if (!walk?.isOver) return undefined
      walk.remove()
      return { stops: walk.stops, faults: walk.faults }
    })
  for (;;) {
    for (let press = 0; press < PRESSES; press += 1) await page.keyboard.press('Tab')
    const result = await look()
    if (result) return result
  }
}
