/** `npm run share-pictures` draws the pictures of shared links and the icons in client/public anew, these from icon.svg. */
import { readFileSync, writeFileSync } from 'node:fs'
import { CONTENT } from '../shared/content/index.ts'
import { SHARE_PICTURE } from '../shared/head.ts'
import { LANGUAGES } from '../shared/language.ts'
import { hasFonts, openBrowser, openWithoutBanner, provideChromium } from './harness/browser.ts'
import { startSiteProcess } from './harness/process.ts'

const FOLDER = `${import.meta.dirname}/../client/public`

/** Shows only the logo and the top of the home page: headline, lead (here the tagline) and panel of petals. */
const STYLE = `
  .header { position: absolute; inset: 52px auto auto 60px; padding: 0; background: none; border: 0 }
  .logo { gap: 20px; font-size: 34px }
  .logo .mark { inline-size: 68px }
  .header > :not(.logo), .eyebrow, .actions, .hero ~ *, footer { display: none }
  .hero { grid-template: 1fr / 1fr 514px; block-size: 630px }
  .hero-panel { border-inline-width: 10px 0 }
  :root:lang(fr) .header { left: 574px }
  :root:lang(fr) .hero { grid-template: 1fr / 514px 1fr }
  :root:lang(fr) .hero-panel { border-inline-width: 0 10px }
  .plate { display: none }
  .hero-panel > a { padding: 36px 12px 24px 30px; font-size: 19px; text-decoration: none }
  .hero-words { display: grid; gap: 56px; align-self: end; padding: 52px 16px 52px 60px }
  .hero-words h1 { margin: 0; font-size: 70px }
  .hero-words .lead { margin: 0; font: 700 27px / 1.25 "Bricolage Grotesque"; text-wrap: balance }`

/** Between the logo and a tagline of two lines, in px. */
const HEADLINE_MAX_HEIGHT = 300

const ICON = readFileSync(`${FOLDER}/icon.svg`, 'utf8')
const [, COLOUR] = /color="(#\w+)"/.exec(ICON) ?? []
/** iOS and Android round the corners of these icons, so the icons fill the square and have a smaller mark. */
const FULL = `html { background: ${COLOUR} } svg { margin: 19%; inline-size: 62% }`
const ICONS = [
  { name: 'icon-192', size: 192, style: '' },
  { name: 'icon-512', size: 512, style: '' },
  { name: 'icon-maskable-512', size: 512, style: FULL },
  { name: 'apple-touch-icon', size: 180, style: FULL },
]
const FAVICON_SIZE = 32

/** An ICO file that contains one PNG: a header of 6 bytes, an entry of 16, and the PNG. */
function wrapIcon(png: Buffer): Buffer {
  const start = Buffer.alloc(22)
  start.set([0, 0, 1, 0, 1, 0, FAVICON_SIZE, FAVICON_SIZE, 0, 0, 1, 0, 32])
  start.writeUInt32LE(png.length, 14)
  start.writeUInt32LE(start.length, 18)
  return Buffer.concat([start, png])
}

const site = await startSiteProcess({})
const browser = await openBrowser(provideChromium())
try {
  const { width, height } = SHARE_PICTURE
  const page = await browser.newPage({ bypassCSP: true, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height })
  for (const language of LANGUAGES) {
    await openWithoutBanner(page, `${site.url}/?lang=${language}`)
    await page.addStyleTag({ content: STYLE })
    await page.locator('.hero .lead').evaluate((lead, tagline) => {
      lead.textContent = tagline
    }, CONTENT[language].brand.tagline)
    await page.waitForFunction(hasFonts)
    await page.locator('h1').evaluate((headline, maxHeight) => {
      for (let size = 70; headline.getBoundingClientRect().height > maxHeight; size -= 2)
        headline.style.fontSize = `${size}px`
    }, HEADLINE_MAX_HEIGHT)
    await page.screenshot({ path: `${FOLDER}${SHARE_PICTURE[language]}` })
  }
  await page.goto('about:blank')
  const draw = async (size: number, style = '') => {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(
      `<style>body { margin: 0 } svg { display: block } ${style}</style>${ICON}`,
    )
    return page.screenshot({ omitBackground: true })
  }
  for (const { name, size, style } of ICONS) {
    writeFileSync(`${FOLDER}/${name}.png`, await draw(size, style))
  }
  writeFileSync(`${FOLDER}/favicon.ico`, wrapIcon(await draw(FAVICON_SIZE)))
} finally {
  await browser.close()
  await site.stop()
}
