import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Browser, Response } from 'playwright-core'

const KINDS = ['html', 'style', 'script', 'data', 'font', 'picture'] as const
export type Kind = (typeof KINDS)[number]

export interface Visit {
  /** What was loaded of each kind until the page was idle, in kB. */
  sizes: Record<Kind, number>
  /** When something, and then the largest thing, was first painted, in ms. */
  firstPaint: number
  largestPaint: number
}

/** Past the splash, in ms from the start of the visit. */
const LONG_ENOUGH = 4000

const TYPES: [RegExp, Kind][] = [
  [/html/, 'html'],
  [/css/, 'style'],
  [/javascript/, 'script'],
  [/json/, 'data'],
  [/font/, 'font'],
  [/image/, 'picture'],
]

const compress = promisify(brotliCompress)
const SMALLEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/** The bytes of a body, in brotli at the highest level where it is text. */
async function weigh(response: Response): Promise<[Kind, number]> {
  const type = response.headers()['content-type'] ?? ''
  const kind = TYPES.find(([pattern]) => pattern.test(type))?.[1]
  if (!kind) throw new Error(`${response.url()} is of an unknown type: ${type}`)
  const body = await response.body()
  const isText = kind !== 'font' && (kind !== 'picture' || type.includes('svg'))
  return [kind, (isText ? await compress(body, SMALLEST) : body).length / 1000]
}

function readPaints() {
  return new Promise<{ firstPaint: number; largestPaint: number }>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const [first] = performance.getEntriesByName('first-contentful-paint')
      const largest = list.getEntries().at(-1)
      resolve({
        firstPaint: first?.startTime ?? Number.NaN,
        largestPaint: largest?.startTime ?? Number.NaN,
      })
    })
    observer.observe({ type: 'largest-contentful-paint', buffered: true })
  })
}

/** A first visit on a phone, with nothing in its cache; nobody touches the splash. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  try {
    const page = await context.newPage()
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    await page.goto(url)
    await page.waitForFunction((time) => performance.now() > time, LONG_ENOUGH)
    await page.waitForLoadState('networkidle')
    const sizes = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
    for (const [kind, size] of await Promise.all(responses.map(weigh))) sizes[kind] += size
    return { sizes, ...(await page.evaluate(readPaints)) }
  } finally {
    await context.close()
  }
}
