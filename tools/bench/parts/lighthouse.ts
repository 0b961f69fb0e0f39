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
/** Lighthouse fails if a trace lacks its beginning, which happens on a busy machine. */
const TRIES = 3
const MAX_REPORT_BYTES = 64 * 1024 * 1024

interface Result {
  /** 0 to 100. */
  performance: number
  /** The lowest score of accessibility, best practices and SEO. */
  others: number
  /** Largest contentful paint, in s. */
  lcp: number
  /** In s. */
  speedIndex: number
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
    speedIndex: getMetric('speed-index') / 1000,
    cls: getMetric('cumulative-layout-shift'),
    tbt: getMetric('total-blocking-time'),
  }
}

const toRow = (name: string, result: Result) => [
  name,
  write(result.performance, 'score'),
  write(result.others, 'score'),
  write(result.lcp, 's'),
  write(result.speedIndex, 's'),
  // Rounded to the thousandth, as in Lighthouse's report.
  write(Math.round(result.cls * 1000) / 1000, 'shift'),
  write(result.tbt, 'ms'),
]

/** Rates each content page with Lighthouse's simulated phone. */
export const measure: Part = async ({ pace, createFolder }) => {
  const chromium = provideChromium()
  const program = { chromium, lighthouse: await providePackage('lighthouse', VERSION) }
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const all: Result[] = []
  const medians: Result[] = []
  const rows: string[][] = []
  for (const { name, path } of CONTENT) {
    const runs: Result[] = []
    for (let run = 1; run <= pace.lighthouseRuns; run++) {
      const result = await runLighthouse(site.url + path, program)
      runs.push(result)
      rows.push(toRow(`${name}, run ${run}`, result))
    }
    const getMedian = (metric: keyof Result) => median(runs.map((run) => run[metric]))
    const middle = {
      performance: getMedian('performance'),
      others: getMedian('others'),
      lcp: getMedian('lcp'),
      speedIndex: getMedian('speedIndex'),
      cls: getMedian('cls'),
      tbt: getMedian('tbt'),
    }
    all.push(...runs)
    medians.push(middle)
    rows.push(toRow(`${name}, median`, middle))
  }
  await site.end()
  const worst = (results: Result[], metric: keyof Result, choose = Math.max) =>
    choose(...results.map((result) => result[metric]))
  return {
    title: 'Lighthouse',
    how: `the mobile settings, every content page in both languages, ${pace.lighthouseRuns} runs each in a new browser.`,
    figures: [
      atLeast('performance, worst run', worst(all, 'performance', Math.min), 'score', 98),
      atLeast('performance, worst median', worst(medians, 'performance', Math.min), 'score', 100),
      atLeast(
        'accessibility, best practices and SEO, worst run',
        worst(all, 'others', Math.min),
        'score',
        100,
      ),
      atMost('LCP, worst median', worst(medians, 'lcp'), 's', 1),
      atMost('speed index, worst run', worst(all, 'speedIndex'), 's', 1.5),
      atMost('CLS, worst median', worst(medians, 'cls'), 'shift', 0),
      atMost('TBT, worst run', worst(all, 'tbt'), 'ms', 60),
    ],
    table: {
      head: ['page', 'performance', 'others', 'LCP', 'speed index', 'CLS', 'TBT'],
      rows,
    },
  }
}
