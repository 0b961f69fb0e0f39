import { type Language, LOCALES } from '../../../shared/language.ts'
import type { Tab } from '../../harness/engines/engine.ts'
import { until } from '../../harness/raw-client.ts'
import type { SiteProxy } from '../../harness/site-proxy.ts'

const TIMEOUT_MS = 20_000
const HEIGHT = 800

/** Runs in the page: the middle of an element that does not move, and the element that covers it. */
function findMiddle(selector: string) {
  if (document.getAnimations().some(({ playState }) => playState === 'running')) return undefined
  const element = document.querySelector(selector)
  element?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const box = element?.getBoundingClientRect()
  if (!element || !box?.width) return undefined
  const x = box.left + box.width / 2
  const y = box.top + box.height / 2
  const hit = document.elementFromPoint(x, y)
  return { x, y, cover: element.contains(hit) ? undefined : (hit?.outerHTML ?? 'nothing') }
}

/** The hands and eyes of a visitor. They wait for conditions in the page, never for time. */
export function createVisit(
  tab: Tab,
  parts: { proxy: SiteProxy; language: Language; takePicture(name: string): Promise<void> },
) {
  const { evaluate } = tab
  const { proxy, language } = parts

  /** Resolves to the first value that is true. A document that is being replaced has none. */
  async function wait<Value, Argument>(
    work: (argument: Argument) => Value,
    argument?: Argument,
  ): Promise<NonNullable<Value>> {
    let value: Value | undefined
    const look = async () => {
      value = await evaluate(work, argument).catch(() => undefined)
      return Boolean(value)
    }
    await until(look, TIMEOUT_MS).catch(() => {})
    if (!value) throw new Error(`waited in vain for ${work} of ${argument}`)
    return value
  }
  const getOrigin = () => evaluate(() => performance.timeOrigin)
  const waitForNewDocument = (old: number) =>
    wait((time) => performance.timeOrigin !== time && document.readyState === 'complete', old)
  const start = (path: string) => tab.open(`${proxy.url}${path}`)
  const gone = (selector: string) => wait((each) => !document.querySelector(each), selector)

  async function open(path: string): Promise<void> {
    const old = await getOrigin()
    await start(path)
    // A busy engine may lose a navigation.
    await waitForNewDocument(old).catch(() => start(path).then(() => waitForNewDocument(old)))
  }
  async function find(selector: string) {
    const { x, y, cover } = await wait(findMiddle, selector)
    if (cover) throw new Error(`${selector} is covered by ${cover.slice(0, 120)}`)
    return [x, y] as const
  }

  return {
    ...parts,
    evaluate,
    wait,
    getOrigin,
    start,
    open,
    find,
    gone,
    locale: LOCALES[language],
    keyboard: tab.keyboard,
    press: tab.keyboard.press,
    moveTo: tab.mouse.move,
    resize: (width: number) => tab.resize(width, HEIGHT),
    /** Ends the splash with a key; then the page is hydrated. */
    async enter(path: string): Promise<void> {
      await open(`${path}?lang=${language}`)
      const hasSplash = () => evaluate(() => document.querySelector('.splash') !== null)
      while (await hasSplash()) await tab.keyboard.press('Shift')
    },
    async reload(): Promise<void> {
      const old = await getOrigin()
      await evaluate(() => location.reload())
      await waitForNewDocument(old)
      await gone('.splash')
    },
    shown: (selector: string) =>
      wait((each) => document.querySelector(each)?.getClientRects().length, selector),
    says: (selector: string, text = '') =>
      wait(([each, words]) => document.querySelector(each)?.textContent?.includes(words), [
        selector,
        text,
      ] as const),
    speaks: (spoken: Language) =>
      wait((locale) => document.documentElement.lang === locale, LOCALES[spoken]),
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
    /** Waits until the form has been open for the minimum fill time. */
    async ripen(): Promise<void> {
      const begun = await evaluate(() => performance.now())
      await wait((time) => performance.now() > time + 3100, begun)
    },
    /** The values in localStorage and in the cookie. */
    stored: (key: string) =>
      evaluate(
        (name) => [
          localStorage.getItem(name),
          document.cookie
            .split('; ')
            .find((pair) => pair.startsWith(`${name}=`))
            ?.split('=')[1] ?? null,
        ],
        key,
      ),
    forget: (key: string) =>
      evaluate((name) => {
        localStorage.removeItem(name)
        // biome-ignore lint/suspicious/noDocumentCookie: not every engine has the Cookie Store API
        document.cookie = `${name}=; Path=/; Max-Age=0`
      }, key),
  }
}

export type Visit = ReturnType<typeof createVisit>
