import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { getPageAddress } from '../../../shared/head.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { provideChromium } from '../../harness/browser.ts'
import { run } from '../../harness/process.ts'
import { atLeast, atMost, median } from '../figures.ts'
import { startBenchSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const VERSION = '13.5.0'
const FOLDER = join(import.meta.dirname, `../../../node_modules/.cache/lighthouse-${VERSION}`)
const PROGRAM = join(FOLDER, 'node_modules/lighthouse/cli/index.js')
/** Lighthouse fails if a trace lacks its beginning, which happens on a busy machine. */
const TRIES = 3
const RUNS_PER_PAGE = 5
const OPTIONS = [
  '--output=json',
  '--quiet',
  '--only-categories=performance,accessibility,best-practices,seo',
  '--no-enable-error-reporting',
  '--chrome-flags=--headless=new --no-sandbox --disable-background-networking',
]

interface Report {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number }>
}

/** `others` is the lowest of the other three scores; times are in s, the TBT in ms. */
function readMetrics({ categories, audits }: Report) {
  const getScore = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const getAudit = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: getScore('performance'),
    others: Math.min(...['accessibility', 'best-practices', 'seo'].map(getScore)),
    LCP: getAudit('largest-contentful-paint') / 1000,
    'speed index': getAudit('speed-index') / 1000,
    CLS: getAudit('cumulative-layout-shift'),
    TBT: getAudit('total-blocking-time'),
  }
}

type Metrics = ReturnType<typeof readMetrics>

const ADDRESSES = pages
  .filter(({ indexed }) => indexed)
  .flatMap((page) => LANGUAGES.map((language) => getPageAddress(page, language, '')))

/** Installs Lighthouse, which is too large to be a dependency, once for each version. */
async function install(): Promise<void> {
  if (existsSync(PROGRAM)) return
  console.log(`Lighthouse is missing: installing ${VERSION} into node_modules/.cache`)
  mkdirSync(FOLDER, { recursive: true })
  const options = ['--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr } = await run('npm', ['install', ...options, `lighthouse@${VERSION}`])
  if (status !== 0) throw new Error(`Lighthouse could not be installed: ${stderr}`)
}

/** Runs Lighthouse on a page with the default settings, which simulate a phone. */
async function runLighthouse(url: string, tries = TRIES): Promise<Report> {
  const args = [PROGRAM, url, ...OPTIONS]
  const { status, stdout, stderr } = await run(process.execPath, args, {
    CHROME_PATH: provideChromium(),
  })
  const report: Report | undefined = status === 0 ? JSON.parse(stdout) : undefined
  if (report && !report.runtimeError) return report
  if (tries > 1) return runLighthouse(url, tries - 1)
  throw new Error(`Lighthouse failed on ${url}: ${report?.runtimeError?.message ?? stderr}`)
}

export const measure: Part = async (folder) => {
  await install()
  const site = await startBenchSite(folder, false)
  const all: Metrics[][] = []
  for (const path of ADDRESSES) {
    const runs: Metrics[] = []
    while (runs.length < RUNS_PER_PAGE) {
      runs.push(readMetrics(await runLighthouse(site.url + path)))
    }
    console.log(path)
    console.table(runs)
    all.push(runs)
  }
  await site.end()
  const listRuns = (metric: keyof Metrics) => all.flat().map((run) => run[metric])
  const listMedians = (metric: keyof Metrics) =>
    all.map((runs) => median(runs.map((run) => run[metric])))
  const others = Math.min(...listRuns('others'))
  return {
    title: 'Lighthouse',
    how: `the mobile settings, every content page in both languages, ${RUNS_PER_PAGE} runs each in a new browser.`,
    figures: [
      atLeast('performance, worst run', Math.min(...listRuns('performance')), 'score', 98),
      atLeast('performance, worst median', Math.min(...listMedians('performance')), 'score', 100),
      atLeast('accessibility, best practices and SEO, worst run', others, 'score', 100),
      atMost('LCP, worst median', Math.max(...listMedians('LCP')), 's', 1.2),
      atMost('speed index, worst run', Math.max(...listRuns('speed index')), 's', 2.5),
      // Not 0: a title's number of lines may change when the site's font loads.
      atMost('CLS, worst median', Math.max(...listMedians('CLS')), 'shift', 0.05),
      atMost('TBT, worst run', Math.max(...listRuns('TBT')), 'ms', 100),
    ],
  }
}
