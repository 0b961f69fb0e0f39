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

/** Runs in the page: scrolls to an element; returns its middle, or undefined if it has no box or is covered. */
function findMiddle(selector: string): [x: number, y: number] | undefined {
  const element = document.querySelector(selector)
  element?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left = 0, top = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
  const [x, y] = [left + width / 2, top + height / 2]
  return width && element?.contains(document.elementFromPoint(x, y)) ? [x, y] : undefined
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

  /** Opens a page; resolves once its document is complete. */
  async function open(path: string): Promise<void> {
    await evaluate(() => void Object.assign(window, { isOld: true }))
    const arrive = async () => {
      await tab.open(`${site}${path}`)
      await wait(() => !('isOld' in window) && document.readyState === 'complete')
    }
    // Try twice: a busy engine may lose a navigation.
    await arrive().catch(arrive)
  }

  async function click(selector: string): Promise<void> {
    await wait(isAtRest)
    await tab.mouse.click(...(await wait(findMiddle, selector)))
  }

  const shown = (selector: string) =>
    wait((each) => document.querySelector(each)?.getClientRects().length, selector)

  return {
    language,
    evaluate,
    wait,
    open,
    click,
    shown,
    keyboard: tab.keyboard,
    resize: (width: number) => tab.setViewportSize({ width, height: HEIGHT }),
    /** Opens a page and presses a key until the splash is gone. Only React removes the splash, after hydration. */
    async enter(path: string): Promise<void> {
      await open(`${path}?lang=${language}`)
      const hasSplash = () => evaluate(() => document.querySelector('.splash') !== null)
      while (await hasSplash()) await tab.keyboard.press('Shift')
    },
    gone: (selector: string) => wait((each) => !document.querySelector(each), selector),
    says: (selector: string, text = '') =>
      wait(
        ([each = '', words = '']) => document.querySelector(each)?.textContent?.includes(words),
        [selector, text],
      ),
    speaks: (spoken: Language) => shown(`[lang="${spoken}"]:root`),
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
    stored: (key: string) => evaluate((name) => localStorage.getItem(name), key),
    /** Throws if the layout has faults or axe finds violations. */
    async examine(name: string): Promise<void> {
      await wait(isAtRest)
      await wait(() => [...document.fonts].filter(({ status }) => status === 'loaded').length > 1)
      const faults = await evaluate(findLayoutFaults)
      await evaluate(() => scrollTo(0, 0))
      faults.push(...(await findViolations({ evaluate })))
      deepEqual({ name, faults }, { name, faults: [] })
    },
  }
}

export type Visit = ReturnType<typeof createVisit>
