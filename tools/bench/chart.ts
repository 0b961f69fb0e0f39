/** A bar: ours, a peer measured in the same run, or one that was measured on the same kind of machine. */
interface Bar {
  name: string
  value: number
  kind: 'ours' | 'peer' | 'reference'
}

interface Panel {
  title: string
  /** Of the figures beside the bars. */
  digits: number
  bars: Bar[]
}

export interface ChartFigures {
  /** Requests a second, of bare node:http with the same bytes. */
  identity: number
  br: number
  express: number
  /** The home page's script, brotli, in kB. */
  script: number
}

/** The site's own tokens; the chart brings its ground along, so that it reads on light and dark. */
const COLOURS = { ours: '#006338', peer: '#43554b', reference: '#b9c4bb' }
const [GROUND, LINE, TEXT, SOFT_TEXT] = ['#fbfaf6', '#d9ded6', '#10231b', '#43554b']

const WIDTH = 760
const MARGIN = 28
const NAMES = 250
const ROW = 26
const BAR = 16
const LONGEST = WIDTH - 2 * MARGIN - NAMES - 60

const reference = (name: string, value: number): Bar => ({ name, value, kind: 'reference' })

function createPanels({ identity, br, express, script }: ChartFigures): Panel[] {
  const descending = (one: Bar, other: Bar) => other.value - one.value
  return [
    {
      title: 'Home page, requests a second: bare node:http with the same bytes is 1',
      digits: 2,
      bars: [
        { name: 'this site', value: identity, kind: 'ours' as const },
        { name: 'this site, br', value: br, kind: 'ours' as const },
        { name: 'bare node:http', value: 1, kind: 'peer' as const },
        { name: 'Express with helmet, a constant', value: express, kind: 'peer' as const },
        reference('nginx, a file', 1.32),
        reference('Astro, prerendered', 0.16),
        reference('react-dom streaming a small page', 0.12),
        reference('Astro, rendered', 0.07),
        reference('Next.js 16, prerendered', 0.06),
        reference('React Router 8, rendered', 0.02),
        reference('Next.js 16, rendered', 0.006),
      ].sort(descending),
    },
    {
      title: 'Home page, script in kB (brotli): less is better',
      digits: 1,
      bars: [
        { name: 'this site', value: script, kind: 'ours' as const },
        reference('Next.js 16', 118.6),
        reference('React Router 8', 101.4),
        reference('Astro', 0),
      ].sort((one, other) => descending(other, one)),
    },
  ]
}

function drawBar({ name, value, kind }: Bar, y: number, scale: number, digits: number): string {
  const start = MARGIN + NAMES
  const length = Math.max(1, value * scale).toFixed(1)
  const weight = kind === 'ours' ? ' font-weight="700"' : ''
  const figure = value > 0 && value < 0.01 ? value.toFixed(3) : value.toFixed(digits)
  const middle = y + BAR / 2 + 4.5
  return [
    `<text x="${start - 12}" y="${middle}" text-anchor="end"${weight}>${name}</text>`,
    `<rect x="${start}" y="${y}" width="${length}" height="${BAR}" rx="2" fill="${COLOURS[kind]}"/>`,
    `<text x="${start + Number(length) + 8}" y="${middle}"${weight}>${figure}</text>`,
  ].join('\n')
}

/** The chart of docs/performance.md, as SVG. */
export function drawChart(figures: ChartFigures): string {
  const parts: string[] = []
  let y = MARGIN
  for (const { title, digits, bars } of createPanels(figures)) {
    y += 14
    parts.push(`<text x="${MARGIN}" y="${y}" font-size="15" font-weight="700">${title}</text>`)
    y += 16
    const scale = LONGEST / Math.max(...bars.map(({ value }) => value))
    for (const bar of bars) {
      parts.push(drawBar(bar, y, scale, digits))
      y += ROW
    }
    y += 20
  }
  parts.push(
    `<text x="${MARGIN}" y="${y + 4}" fill="${SOFT_TEXT}">Green and dark: measured in one run. Light: measured once, on the same kind of machine.</text>`,
  )
  const height = y + MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="'Public Sans', system-ui, sans-serif" font-size="13" fill="${TEXT}">
<title>The home page beside its peers: requests a second, and script</title>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="2" fill="${GROUND}" stroke="${LINE}"/>
${parts.join('\n')}
</svg>
`
}
