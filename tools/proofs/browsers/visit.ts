import { deepEqual } from 'node:assert/strict'
import { MIN_FILL_MS } from '../../../shared/contact-fields.ts'
import type { Language } from '../../../shared/language.ts'
import { findViolations } from '../../harness/browser.ts'
import type { Tab } from '../../harness/engines/engine.ts'
import { findLayoutFaults } from '../../harness/layout-rules.ts'
import { until } from '../../harness/raw-client.ts'

const TIMEOUT_MS = 30_000
const HEIGHT = 800

const isAtRest = () => document.getAnimations().every(({ playState }) => playState !== 'running')

/** Runs in the page: scrolls to an element, returns its middle and its cover's HTML; undefined if it has no box. */
function findMiddle(selector: string) {
  const element = document.querySelector(selector)
  element?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const box = element?.getBoundingClientRect()
  if (!element || !box?.width) return undefined
  const x = box.left + box.width / 2
  const y = box.top + box.height / 2
  const hit = document.elementFromPoint(x, y)
  return {
    x,
    y,
    cover: element.contains(hit) ? undefined : (hit?.outerHTML ?? 'the edge of the window'),
  }
}

/** Simulates a visitor; waits only for conditions in the page. */
export function createVisit(tab: Tab, site: string, language: Language) {
  /** A wrapper, because `tab.evaluate` may need `tab` as `this`. */
  const evaluate: Tab['evaluate'] = (work, argument) => tab.evaluate(work, argument)

  /** Resolves to the first truthy value. Ignores errors, because calls fail while a document is being replaced. */
  async function wait<Value, Argument>(
    work: (argument: Argument) => Value,
    argument?: Argument,
  ): Promise<NonNullable<Value>> {
    const look = () => evaluate(work, argument).catch(() => undefined)
    return until(look, TIMEOUT_MS).catch(() => {
      throw new Error(`timed out waiting for ${work} with ${JSON.stringify(argument)}`)
    })
  }
  /** Identifies the document. performance.timeOrigin cannot: in WebKit it changes by fractions of a ms. */
  const getMark = () =>
    evaluate(() => {
      const marked: { mark?: number } = window as object
      marked.mark ??= Math.random()
      return marked.mark
    })
  const gone = (selector: string) => wait((each) => !document.querySelector(each), selector)
  const shown = (selector: string) =>
    wait((each) => document.querySelector(each)?.getClientRects().length, selector)

  /** Opens a page; resolves once its document is complete. */
  async function open(path: string): Promise<void> {
    const old = await getMark()
    const arrive = async () => {
      await tab.open(`${site}${path}`)
      await wait(
        (mark) =>
          (window as { mark?: number }).mark !== mark &&
          document.readyState === 'complete' &&
          document.querySelector('h1') !== null,
        old,
      )
    }
    // Try twice: a busy engine may lose a navigation.
    await arrive().catch(arrive)
  }

  async function find(selector: string): Promise<[x: number, y: number]> {
    await wait(isAtRest)
    const { x, y, cover } = await wait(findMiddle, selector)
    if (cover) throw new Error(`${selector} is covered by ${cover.slice(0, 120)}`)
    return [x, y]
  }

  return {
    language,
    evaluate,
    wait,
    getMark,
    open,
    find,
    gone,
    keyboard: tab.keyboard,
    mouse: tab.mouse,
    resize: (width: number) => tab.setViewportSize({ width, height: HEIGHT }),
    /** Opens a page and presses a key until the splash is gone. Only React removes the splash, after hydration. */
    async enter(path: string): Promise<void> {
      await open(`${path}?lang=${language}`)
      const hasSplash = () => evaluate(() => document.querySelector('.splash') !== null)
      while (await hasSplash()) await tab.keyboard.press('Shift')
    },
    shown,
    says: (selector: string, text = '') =>
      wait(
        ([each = '', words = '']) => document.querySelector(each)?.textContent?.includes(words),
        [selector, text],
      ),
    speaks: (spoken: Language) => shown(`[lang="${spoken}"]:root`),
    click: async (selector: string) => tab.mouse.click(...(await find(selector))),
    fill: (values: Record<string, string>) =>
      evaluate((all) => {
        for (const [id, value] of Object.entries(all)) {
          const field = document.querySelector<HTMLInputElement>(`#${id}`)
          if (field) field.value = value
        }
      }, values),
    typed: () =>
      evaluate(() => {
        const fields = document.querySelectorAll<HTMLInputElement>('.field :is(input, textarea)')
        return Object.fromEntries([...fields].map(({ id, value }) => [id, value]))
      }),
    /** Waits a little longer than a form must have been open. */
    async ripen(): Promise<void> {
      const ripe = await evaluate((time) => performance.now() + time, MIN_FILL_MS + 100)
      await wait((time) => performance.now() > time, ripe)
    },
    stored: (key: string) =>
      evaluate(
        (name) => [
          localStorage.getItem(name),
          new URLSearchParams(document.cookie.replaceAll('; ', '&')).get(name),
        ],
        key,
      ),
    /** Throws if the layout has faults or axe finds violations. */
    async examine(name: string): Promise<void> {
      await wait(isAtRest)
      await wait(() => [...document.fonts].filter(({ status }) => status === 'loaded').length > 1)
      const place = await evaluate(() => scrollY)
      const faults = await evaluate(findLayoutFaults)
      // findLayoutFaults scrolls; at another place, the banner may lie over a part of a link. The header, once it has left,
      // lies over links above the window, which axe checks too.
      await evaluate((top) => {
        scrollTo(0, top)
        document.querySelector<HTMLElement>('.header')?.style.setProperty('position', 'static')
      }, place)
      faults.push(...(await findViolations({ evaluate })))
      deepEqual({ name, faults }, { name, faults: [] })
    },
  }
}

export type Visit = ReturnType<typeof createVisit>
