import { provideChromium } from '../../harness/chromium.ts'
import { CONTENT } from '../addresses.ts'
import { median, write } from '../figures.ts'
import { provideLighthouse, runLighthouse } from '../lighthouse.ts'
import type { Part } from '../main.ts'
import { startSite } from '../processes.ts'

/** What Lighthouse's phone makes of each content page. */
export const measure: Part = async ({ pace, createFolder }) => {
  const chromium = provideChromium()
  if (!chromium) throw new Error('No Chromium could be provided')
  provideLighthouse()
  const site = await startSite({ folder: createFolder(), unpinned: true })
  const rows: {
    name: string
    score: number
    others: number
    lcp: number
    cls: number
    tbt: number
  }[] = []
  for (const { name, path } of CONTENT) {
    const runs: Awaited<ReturnType<typeof runLighthouse>>[] = []
    for (let run = 0; run < pace.lighthouseRuns; run++) {
      runs.push(await runLighthouse(site.url + path, chromium))
    }
    const middle = (metric: 'lcp' | 'cls' | 'tbt') =>
      median(runs.map(({ metrics }) => metrics[metric]))
    rows.push({
      name,
      score: median(runs.map(({ scores }) => scores.performance)),
      others: Math.min(
        ...runs.flatMap(({ scores: { performance: _, ...others } }) => Object.values(others)),
      ),
      lcp: middle('lcp') / 1000,
      cls: Math.round(middle('cls') * 1000) / 1000,
      tbt: middle('tbt'),
    })
  }
  await site.end()
  const worst = (metric: 'lcp' | 'cls' | 'tbt') => Math.max(...rows.map((row) => row[metric]))
  return {
    title: 'Lighthouse',
    how: `Lighthouse's mobile settings (a slow phone on a slow network, simulated), the ten content paths in both languages, each the median of ${pace.lighthouseRuns} runs; CLS to the thousandth, as Lighthouse shows it. The others are accessibility, best practices and SEO, the lowest of all runs.`,
    figures: [
      {
        name: 'performance, worst page',
        value: Math.min(...rows.map(({ score }) => score)),
        unit: 'score',
        limit: { least: 100 },
      },
      {
        name: 'accessibility, best practices and SEO, worst page and run',
        value: Math.min(...rows.map(({ others }) => others)),
        unit: 'score',
        limit: { least: 100 },
      },
      { name: 'LCP, worst page', value: worst('lcp'), unit: 's', limit: { most: 1 } },
      { name: 'CLS, worst page', value: worst('cls'), unit: 'shift', limit: { most: 0 } },
      { name: 'TBT, worst page', value: worst('tbt'), unit: 'ms', limit: { most: 50 } },
    ],
    tables: [
      {
        head: ['page', 'performance', 'others', 'LCP', 'CLS', 'TBT'],
        rows: rows.map(({ name, score, others, lcp, cls, tbt }) => [
          name,
          write(score, 'score'),
          write(others, 'score'),
          write(lcp, 's'),
          write(cls, 'shift'),
          write(tbt, 'ms'),
        ]),
      },
    ],
  }
}
