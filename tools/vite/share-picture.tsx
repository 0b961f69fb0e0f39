import { renderToStaticMarkup } from 'react-dom/server'
import { Mark, PetalPanel } from '../../client/components/petals.tsx'
import { SECTORS, type Sector } from '../../shared/constants.ts'
import type { Content } from '../../shared/content/content.ts'
import { SHARE_PICTURE, textsOf } from '../../shared/head.ts'
import type { Page } from '../../shared/pages.ts'
import { fitLines } from './line-breaking.ts'
import { type Painter, TITLE_FONT } from './rasterizer.ts'
import { getColour, getSectorColours, mixWithBlack } from './tokens.ts'

const { width: WIDTH, height: HEIGHT } = SHARE_PICTURE
const ROWS = 5
const PETAL = HEIGHT / ROWS
const PANEL = 4 * PETAL
const SEAM = 10
const LEFT = PANEL + SEAM + 68
const COLUMN = WIDTH - LEFT - 60
const LEADING = 1.1
const HEADLINE_SIZES = [76, 70, 64, 58, 52] as const
const TAGLINE_SIZES = [27] as const

function styleOf(sector?: Sector): string {
  const colours = sector && getSectorColours(sector)
  const dim = colours?.full ?? getColour('foret-clair')
  const light = colours?.tint ?? getColour('brume')
  return `
    .dim { fill: ${dim} }
    .light { fill: ${light} }
    .line { fill: none; stroke: ${getColour('ocre')}; stroke-width: 2 }
    .mark { fill: ${getColour('sapin')} }`
}

/** What a shared link shows: the head of the page as a diptych. */
export function paintSharePicture(page: Page, content: Content, painter: Painter): Uint8Array {
  const sector = SECTORS.find((each) => each === page.id)
  const colours = sector && getSectorColours(sector)
  const lay = (text: string, sizes: readonly [number, ...number[]], lines: number) =>
    fitLines(text, sizes, { width: COLUMN, lines }, painter.measure)
  const headline = lay(textsOf(page, content).headline, HEADLINE_SIZES, 3)
  const tagline = lay(content.brand.tagline, TAGLINE_SIZES, 2)
  const headlineHeight = headline.size * LEADING * headline.lines.length
  const eyebrow = sector && content.divisions.items[sector].title
  const top = (HEIGHT - headlineHeight) / 2 + (eyebrow ? 20 : 0)

  const svg = renderToStaticMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" width={WIDTH} height={HEIGHT}>
      <style>{styleOf(sector)}</style>
      <rect width={WIDTH} height={HEIGHT} fill={getColour('neige')} />
      <rect
        width={PANEL}
        height={HEIGHT}
        fill={colours ? mixWithBlack(colours.full, 0.22) : getColour('foret')}
      />
      <svg width={PANEL} height={HEIGHT}>
        <PetalPanel sector={sector} rows={ROWS} />
      </svg>
      <rect x={PANEL} width={SEAM} height={HEIGHT} fill={getColour('ocre')} />
      <svg x={LEFT} y={52} width={68} height={60}>
        <Mark />
      </svg>
      <text {...TITLE_FONT} x={LEFT + 86} y={94} fontSize={34} fill={getColour('encre')}>
        {content.brand.name}
      </text>
      {eyebrow && (
        <text {...TITLE_FONT} x={LEFT} y={top - 22} fontSize={27} fill={colours?.full}>
          {eyebrow}
        </text>
      )}
      {headline.lines.map((line, index) => (
        <text
          key={line}
          {...TITLE_FONT}
          x={LEFT}
          y={top + headline.size * (LEADING * index + 0.86)}
          fontSize={headline.size}
          fill={getColour('encre')}
        >
          {line}
        </text>
      ))}
      {tagline.lines.map((line, index) => (
        <text
          key={line}
          {...TITLE_FONT}
          x={LEFT}
          y={HEIGHT - 52 - (tagline.lines.length - 1 - index) * tagline.size * 1.25}
          fontSize={tagline.size}
          fill={getColour('encre-2')}
        >
          {line}
        </text>
      ))}
    </svg>,
  )
  return painter.paintOpaque(svg)
}
