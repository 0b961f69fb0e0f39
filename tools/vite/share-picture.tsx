import { renderToStaticMarkup } from 'react-dom/server'
import { Mark, PetalPanel } from '../../client/components/petals.tsx'
import { SECTOR_PANELS } from '../../client/components/sector-panels.ts'
import { SECTORS, type Sector } from '../../shared/constants.ts'
import type { Content } from '../../shared/content/types.ts'
import { getHeadContent, SHARE_PICTURE } from '../../shared/head.ts'
import type { Page } from '../../shared/pages.ts'
import { getColour, getSectorColours, type Rasterizer, TITLE_FONT } from './drawing.ts'

const { width: WIDTH, height: HEIGHT } = SHARE_PICTURE
const ROWS = 5
const PETAL = HEIGHT / ROWS
const PANEL = 4 * PETAL
const SEAM = 10
const LEFT = PANEL + SEAM + 68
const COLUMN = WIDTH - LEFT - 60
const LEADING = 1.1
const HEADLINE_SIZES = [76, 70, 64, 58, 52]
const TAGLINE_SIZE = 27
const TAGLINE_LEADING = 1.25
/** Opacity of the black over the panel; approximates hero.css: `color-mix(in oklab, var(--sector), #000 22%)`. */
const PANEL_SHADE = 0.3

function getStyle(sector?: Sector): string {
  const colours = sector && getSectorColours(sector)
  const dim = colours?.full ?? getColour('color-on-dark-line')
  const light = colours?.tint ?? getColour('color-on-dark-quiet')
  return `
    .dim { fill: ${dim} }
    .light { fill: ${light} }
    .line { fill: none; stroke: ${getColour('color-highlight')}; stroke-width: 2 }
    .mark { fill: ${getColour('color-accent')} }`
}

/** Draws the picture that a shared link shows: petals on the left, brand, headline and tagline on the right. */
export function drawSharePicture(page: Page, content: Content, rasterizer: Rasterizer): Uint8Array {
  const sector = SECTORS.find((each) => each === page.id)
  const colours = sector && getSectorColours(sector)
  const layOut = (text: string, sizes: number[], maxLines: number) =>
    fitLines(text, { sizes, maxLines, maxWidth: COLUMN, measure: rasterizer.measure })
  const headline = layOut(getHeadContent(page, content).headline, HEADLINE_SIZES, 3)
  const tagline = layOut(content.brand.tagline, [TAGLINE_SIZE], 2)
  const headlineHeight = headline.size * LEADING * headline.lines.length
  const taglineTop = HEIGHT - 52 - (tagline.lines.length - 1) * TAGLINE_SIZE * TAGLINE_LEADING
  const eyebrow = sector && content.divisions.items[sector].title
  const top = (HEIGHT - headlineHeight) / 2 + (eyebrow ? 20 : 0)

  const svg = renderToStaticMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" width={WIDTH} height={HEIGHT}>
      <style>{getStyle(sector)}</style>
      <rect width={WIDTH} height={HEIGHT} fill={getColour('color-page')} />
      <rect width={PANEL} height={HEIGHT} fill={colours?.full ?? getColour('color-dark')} />
      {colours && <rect width={PANEL} height={HEIGHT} fillOpacity={PANEL_SHADE} />}
      <svg width={PANEL} height={HEIGHT}>
        <PetalPanel sector={sector} panel={sector && SECTOR_PANELS[sector]} rows={ROWS} />
      </svg>
      <rect x={PANEL} width={SEAM} height={HEIGHT} fill={getColour('color-highlight')} />
      <svg x={LEFT} y={52} width={68} height={60}>
        <Mark />
      </svg>
      <Words
        lines={[content.brand.name]}
        x={LEFT + 86}
        y={94}
        size={34}
        fill={getColour('color-text')}
      />
      {eyebrow && <Words lines={[eyebrow]} y={top - 22} size={27} fill={colours?.full} />}
      <Words {...headline} y={top + headline.size * 0.86} fill={getColour('color-text')} />
      <Words
        {...tagline}
        y={taglineTop}
        leading={TAGLINE_LEADING}
        fill={getColour('color-quiet')}
      />
    </svg>,
  )
  return rasterizer.toPng(svg)
}

interface WordsProps {
  lines: string[]
  x?: number
  /** Baseline of the first line. */
  y: number
  size: number
  leading?: number
  fill?: string
}

function Words({ lines, x = LEFT, y, size, leading = LEADING, fill }: WordsProps) {
  return lines.map((line, index) => (
    <text
      key={line}
      {...TITLE_FONT}
      x={x}
      y={y + size * leading * index}
      fontSize={size}
      fill={fill}
    >
      {line}
    </text>
  ))
}

interface Fit {
  /** Font sizes, the largest first. */
  sizes: number[]
  maxLines: number
  maxWidth: number
  measure: (text: string, size: number) => number
}

/** Breaks the text into lines at the largest size that fits, else at the smallest size. */
export function fitLines(text: string, { sizes, maxLines, maxWidth, measure }: Fit) {
  const attempts = sizes.map((size) => {
    const lines = balanceLines(text, maxWidth, (line) => measure(line, size))
    const widest = Math.max(...lines.map((line) => measure(line, size)))
    return { size, lines, fits: lines.length <= maxLines && widest <= maxWidth }
  })
  const fitting = attempts.find(({ fits }) => fits) ?? attempts.at(-1)
  if (!fitting) throw new Error('No font size is given')
  return { size: fitting.size, lines: fitting.lines }
}

/** Narrows the lines without adding a line, so that the last line is rarely a single word. */
function balanceLines(text: string, maxWidth: number, measure: (line: string) => number) {
  let lines = breakLines(text, maxWidth, measure)
  for (;;) {
    const width = Math.max(...lines.map(measure)) - 1
    const narrower = breakLines(text, width, measure)
    if (narrower.length > lines.length || narrower.some((line) => measure(line) > width))
      return lines
    lines = narrower
  }
}

/** Breaks the text at spaces, but not at no-break spaces. */
function breakLines(text: string, maxWidth: number, measure: (line: string) => number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && measure(longer) <= maxWidth) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
