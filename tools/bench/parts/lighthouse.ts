import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { provideChromium } from '../../harness/browser.ts'
import { atLeast, atMost, median, write } from '../figures.ts'
import { CONTENT } from '../load.ts'
import { startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const VERSION = '13.5.0'
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/lighthouse')
const PACKAGE = join(FOLDER, 'node_modules/lighthouse')
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

function isInstalled(): boolean {
  try {
    return JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version === VERSION
  } catch {
    return false
  }
}

/** Installs Lighthouse into its own folder: with 176 MB it is too large for a dependency. */
function provideLighthouse(): void {
  if (isInstalled()) return
  console.log(`Lighthouse is missing: installing ${VERSION} into node_modules/.cache`)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
  execFileSync('npm', ['install', ...options, `lighthouse@${VERSION}`], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function runLighthouse(url: string, chromium: string, tries = TRIES): Promise<Result> {
  try {
    return await runOnce(url, chromium)
  } catch (error) {
    if (tries > 1) return runLighthouse(url, chromium, tries - 1)
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`Lighthouse failed on ${url}: ${stderr?.trim() || message}`)
  }
}

async function runOnce(url: string, chromium: string): Promise<Result> {
  const words = [
    join(PACKAGE, 'cli/index.js'),
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
  provideLighthouse()
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const rows: Result[] = []
  const cells: string[][] = []
  const print = (name: string, { performance, others, lcp, cls, tbt }: Result) =>
    cells.push([
      name,
      write(performance, 'score'),
      write(others, 'score'),
      write(lcp, 's'),
      write(cls, 'shift'),
      write(tbt, 'ms'),
    ])
  for (const { name, path } of CONTENT) {
    const runs: Result[] = []
    for (let run = 0; run < pace.lighthouseRuns; run++) {
      const result = await runLighthouse(site.url + path, chromium)
      runs.push(result)
      print(`${name}, run ${run + 1}`, result)
    }
    const row = {
      performance: median(runs.map(({ performance }) => performance)),
      others: Math.min(...runs.map(({ others }) => others)),
      lcp: median(runs.map(({ lcp }) => lcp)),
      // To the thousandth, as Lighthouse shows it.
      cls: Math.round(median(runs.map(({ cls }) => cls)) * 1000) / 1000,
      tbt: median(runs.map(({ tbt }) => tbt)),
    }
    rows.push(row)
    print(`${name}, median`, row)
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
      rows: cells,
    },
  }
}
