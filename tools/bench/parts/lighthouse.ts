import { join } from 'node:path'
import { provideChromium } from '../../harness/browser.ts'
import { run } from '../../harness/process.ts'
import { providePackage } from '../../harness/provide-package.ts'
import { atLeast, atMost, median, write } from '../figures.ts'
import { CONTENT } from '../load.ts'
import { startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const VERSION = '13.5.0'
/** Retries: on a busy machine a trace may lack its beginning. */
const TRIES = 3
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

const getScore = ({ categories }: Report, name: string) =>
  Math.round((categories[name]?.score ?? 0) * 100)
const getAudit = ({ audits }: Report, name: string) => audits[name]?.numericValue ?? Number.NaN

/** The metrics of a report; `others` is the lowest of its other scores. */
const METRICS = {
  performance: (report: Report) => getScore(report, 'performance'),
  others: (report: Report) =>
    Math.min(...['accessibility', 'best-practices', 'seo'].map((name) => getScore(report, name))),
  LCP: (report: Report) => getAudit(report, 'largest-contentful-paint') / 1000,
  'speed index': (report: Report) => getAudit(report, 'speed-index') / 1000,
  CLS: (report: Report) => getAudit(report, 'cumulative-layout-shift'),
  TBT: (report: Report) => getAudit(report, 'total-blocking-time'),
}
type Metric = keyof typeof METRICS

/** Runs Lighthouse on a page with its settings for phones. */
async function runLighthouse(program: string, url: string, tries = TRIES): Promise<Report> {
  const args = [join(program, 'cli/index.js'), url, ...OPTIONS]
  const { status, stdout, stderr } = await run(process.execPath, args, {
    CHROME_PATH: provideChromium(),
  })
  const report: Report | undefined = status === 0 ? JSON.parse(stdout) : undefined
  if (report && !report.runtimeError) return report
  if (tries > 1) return runLighthouse(program, url, tries - 1)
  throw new Error(`Lighthouse failed on ${url}: ${report?.runtimeError?.message ?? stderr}`)
}

/** Rates each content page with Lighthouse's simulated phone. */
export const measure: Part = async ({ pace, createFolder }) => {
  const program = await providePackage('lighthouse', VERSION)
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const pages: { name: string; reports: Report[] }[] = []
  for (const { name, path } of CONTENT) {
    const reports: Report[] = []
    for (let count = 0; count < pace.lighthouseRuns; count++) {
      reports.push(await runLighthouse(program, site.url + path))
    }
    pages.push({ name, reports })
  }
  await site.end()
  const getMedian = (reports: Report[], metric: Metric) => median(reports.map(METRICS[metric]))
  const listRuns = (metric: Metric) => pages.flatMap(({ reports }) => reports.map(METRICS[metric]))
  const listMedians = (metric: Metric) => pages.map(({ reports }) => getMedian(reports, metric))
  const toRow = ({ name, reports }: (typeof pages)[number]) => [
    name,
    {
      performance: write(getMedian(reports, 'performance'), 'score'),
      others: write(getMedian(reports, 'others'), 'score'),
      LCP: write(getMedian(reports, 'LCP'), 's'),
      'speed index': write(getMedian(reports, 'speed index'), 's'),
      CLS: write(getMedian(reports, 'CLS'), 'shift'),
      TBT: write(getMedian(reports, 'TBT'), 'ms'),
    },
  ]
  return {
    title: 'Lighthouse',
    how: `the mobile settings, every content page in both languages, ${pace.lighthouseRuns} runs each in a new browser.`,
    figures: [
      atLeast('performance, worst run', Math.min(...listRuns('performance')), 'score', 98),
      atLeast('performance, worst median', Math.min(...listMedians('performance')), 'score', 100),
      atLeast(
        'accessibility, best practices and SEO, worst run',
        Math.min(...listRuns('others')),
        'score',
        100,
      ),
      atMost('LCP, worst median', Math.max(...listMedians('LCP')), 's', 1),
      atMost('speed index, worst run', Math.max(...listRuns('speed index')), 's', 1.5),
      atMost('CLS, worst median', Math.max(...listMedians('CLS')), 'shift', 0),
      atMost('TBT, worst run', Math.max(...listRuns('TBT')), 'ms', 60),
    ],
    table: Object.fromEntries(pages.map(toRow)),
  }
}
