import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { provideChromium } from '../../harness/browser.ts'
import { providePackage } from '../../harness/provide-package.ts'
import { atLeast, atMost, median, write } from '../figures.ts'
import { CONTENT } from '../load.ts'
import { startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const VERSION = '13.5.0'
const TIMEOUT_MS = 120_000
/** Retries: on a busy machine a trace may lack its beginning. */
const TRIES = 3
const MAX_REPORT_BYTES = 64 * 1024 * 1024

interface Result {
  /** 0 to 100. */
  performance: number
  /** The lowest score of accessibility, best practices and SEO. */
  others: number
  /** Largest contentful paint, in s. */
  lcp: number
  cls: number
  /** Total blocking time, in ms. */
  tbt: number
}

interface Report {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number }>
}

interface Program {
  lighthouse: string
  chromium: string
}

async function runLighthouse(url: string, program: Program, tries = TRIES): Promise<Result> {
  try {
    return await runOnce(url, program)
  } catch (error) {
    if (tries > 1) return runLighthouse(url, program, tries - 1)
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`Lighthouse failed on ${url}: ${stderr?.trim() || message}`)
  }
}

async function runOnce(url: string, { lighthouse, chromium }: Program): Promise<Result> {
  const words = [
    join(lighthouse, 'cli/index.js'),
    url,
    '--output=json',
    '--quiet',
    '--only-categories=performance,accessibility,best-practices,seo',
    '--no-enable-error-reporting',
    '--chrome-flags=--headless=new --no-sandbox --disable-background-networking',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: { ...process.env, CHROME_PATH: chromium },
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_REPORT_BYTES,
  })
  const { runtimeError, categories, audits }: Report = JSON.parse(stdout)
  if (runtimeError) throw new Error(runtimeError.message)
  const getScore = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const getMetric = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: getScore('performance'),
    others: Math.min(...['accessibility', 'best-practices', 'seo'].map(getScore)),
    lcp: getMetric('largest-contentful-paint') / 1000,
    cls: getMetric('cumulative-layout-shift'),
    tbt: getMetric('total-blocking-time'),
  }
}

/** Rates each content page with Lighthouse's simulated phone. */
export const measure: Part = async ({ pace, createFolder }) => {
  const chromium = provideChromium()
  const program = { chromium, lighthouse: await providePackage('lighthouse', VERSION) }
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const rows: (Result & { name: string })[] = []
  for (const { name, path } of CONTENT) {
    const runs: Result[] = []
    for (let run = 0; run < pace.lighthouseRuns; run++) {
      runs.push(await runLighthouse(site.url + path, program))
    }
    rows.push({
      name,
      performance: median(runs.map(({ performance }) => performance)),
      others: Math.min(...runs.map(({ others }) => others)),
      lcp: median(runs.map(({ lcp }) => lcp)),
      // To the thousandth, as Lighthouse shows it.
      cls: Math.round(median(runs.map(({ cls }) => cls)) * 1000) / 1000,
      tbt: median(runs.map(({ tbt }) => tbt)),
    })
  }
  await site.end()
  const worst = (metric: keyof Result, choose = Math.max) =>
    choose(...rows.map((row) => row[metric]))
  return {
    title: 'Lighthouse',
    how: `the mobile settings, every content page in both languages, the median of ${pace.lighthouseRuns} runs; of accessibility, best practices and SEO the lowest score of all runs.`,
    figures: [
      atLeast('performance, worst page', worst('performance', Math.min), 'score', 100),
      atLeast(
        'accessibility, best practices and SEO, worst page and run',
        worst('others', Math.min),
        'score',
        100,
      ),
      atMost('LCP, worst page', worst('lcp'), 's', 1),
      atMost('CLS, worst page', worst('cls'), 'shift', 0),
      atMost('TBT, worst page', worst('tbt'), 'ms', 50),
    ],
    table: {
      head: ['page', 'performance', 'others', 'LCP', 'CLS', 'TBT'],
      rows: rows.map(({ name, performance, others, lcp, cls, tbt }) => [
        name,
        ...[performance, others].map((score) => write(score, 'score')),
        write(lcp, 's'),
        write(cls, 'shift'),
        write(tbt, 'ms'),
      ]),
    },
  }
}
