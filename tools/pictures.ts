/** `npm run pictures` saves screenshots in dist/pictures; README.md shows a copy of one in docs/pictures. */
import { LANGUAGES } from '../shared/language.ts'
import { hasFonts, openBrowser, provideHeadlessChromium, skipSplash } from './harness/browser.ts'
import { startSiteProcess } from './harness/process.ts'

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
const PATHS = {
  home: '/',
  sectors: '/secteurs-activite',
  sector: '/health-safety',
  services: '/services',
  contact: '/contact',
  privacy: '/politique-confidentialite',
  404: '/test-404',
  500: '/test-500',
}

const executablePath = provideHeadlessChromium()
if (!executablePath) throw new Error('Chromium is missing; see the output above')
const site = await startSiteProcess({})
const browser = await openBrowser(executablePath)

try {
  for (const [name, path] of Object.entries(PATHS)) {
    for (const language of LANGUAGES) {
      for (const viewport of SIZES) {
        const page = await browser.newPage({ viewport, reducedMotion: 'reduce' })
        await page.addInitScript(() => localStorage.setItem('cookie-consent', 'necessary-only'))
        await page.goto(`${site.url}${path}?lang=${language}`)
        await skipSplash(page)
        await page.waitForFunction(hasFonts)
        const file = `dist/pictures/${name}-${language}-${viewport.width}.jpg`
        await page.screenshot({ path: file, type: 'jpeg', quality: 70 })
        await page.close()
      }
    }
  }
  console.log('The pictures are in dist/pictures')
} finally {
  await browser.close()
  await site.stop()
}
