import { addressOf } from '../../shared/head.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import { provideLighthouse, runLighthouse } from '../bench/lighthouse.ts'
import { provideChromium } from '../harness/chromium.ts'
import type { Proof } from './main.ts'
import { startSite } from './site.ts'
import { withStores } from './stores.ts'

const PERFECT = 100
const COLUMNS = ['accessible', 'practices', 'SEO', 'performance', 'LCP s', 'TBT ms', 'CLS']

const row = (name: string, cells: (string | number)[]) =>
  name.padEnd(34) + cells.map((cell) => String(cell).padStart(12)).join('')

/** Every content path in both languages, on Lighthouse's phone; performance is only told, the bench judges it. */
export const prove: Proof = async ({ report, count }) => {
  const chromium = provideChromium()
  if (!chromium) throw new Error('No Chromium could be provided')
  provideLighthouse()
  const paths = pages
    .filter(({ indexed }) => indexed)
    .flatMap((page) => LANGUAGES.map((language) => [page, language] as const))
    // A privacy page has an address for each of its languages already.
    .map(([page, language]) => {
      const address = addressOf(page, language, '')
      return page.language && page.language !== language ? `${page.path}?lang=${language}` : address
    })
    .slice(0, count)

  await withStores(['sqlite'], async (_, stores) => {
    const site = await startSite(await stores.create())
    report.note(row('', COLUMNS))
    let imperfect = 0
    for (const path of paths) {
      const { scores, metrics, faults } = await runLighthouse(site.url + path, chromium)
      const judged = [scores.accessibility, scores.bestPractices, scores.seo]
      if (judged.some((score) => score < PERFECT)) imperfect += 1
      const told = [
        scores.performance,
        (metrics.lcp / 1000).toFixed(2),
        metrics.tbt.toFixed(0),
        metrics.cls.toFixed(3),
      ]
      report.note(row(path, [...judged, ...told]))
      for (const fault of faults) report.note(`    ${fault}`)
    }
    await site.end()
    report.claim(`${paths.length - imperfect} of ${paths.length} pages at 100`, imperfect === 0)
  })
}
