import type { ReactNode } from 'react'
import { SECTORS, type Sector } from '../../shared/constants.ts'

/** Two quarter circles in a square: all pictures of the site consist of it. */
function petal(x: number, y: number, size: number, falling: boolean): string {
  const [from, to] = falling ? [y, y + size] : [y + size, y]
  const arc = `A${size} ${size} 0 0 1`
  return `M${x} ${from}${arc} ${x + size} ${to}${arc} ${x} ${from}Z`
}

export function Petal({ sector }: { sector: Sector }) {
  return (
    <svg className="petal" data-sector={sector} viewBox="0 0 100 100" aria-hidden="true">
      <path d={petal(0, 0, 100, SECTORS.indexOf(sector) % 2 === 1)} />
    </svg>
  )
}

/** The firm's mark: three petals around a point, for its three services. */
export function Mark() {
  return (
    <svg className="mark" viewBox="-88 -101 176 155" aria-hidden="true">
      {[0, 120, 240].map((angle) => (
        <g key={angle} transform={`rotate(${angle})`}>
          <path className="mark-petal" d="M0-6A66.5 66.5 0 0 1 0-100A66.5 66.5 0 0 1 0-6Z" />
        </g>
      ))}
    </svg>
  )
}

const COLUMNS = 5
const CELL = 100

/** Four petals that repeat over the panel, clockwise from the upper left. */
const TILE = [
  { kind: 'dim', falling: false },
  { kind: 'light', falling: false },
  { kind: 'dim', falling: true },
  { kind: 'line', falling: false },
] as const

interface PetalPanelProps {
  sector?: Sector
  /** The height of the panel beside the text, in petals. */
  rows: number
  error?: boolean
}

/** The panel of a hero. Each sector rotates the tile by another 90°; an error page lacks one petal. */
export function PetalPanel({ sector, rows, error }: PetalPanelProps) {
  const cells = Array.from({ length: COLUMNS * rows }, (_, index) => ({
    x: index % COLUMNS,
    y: Math.floor(index / COLUMNS),
  }))
  const turns = sector ? SECTORS.indexOf(sector) : 0
  return (
    <svg
      className="petal-panel"
      data-sector={sector}
      data-error={error}
      viewBox={`0 0 ${COLUMNS * CELL} ${rows * CELL}`}
      preserveAspectRatio="xMaxYMin slice"
      aria-hidden="true"
    >
      {cells.map(({ x, y }) => {
        if (error && x === 3 && y === 0) return null
        const place = y % 2 ? 3 - (x % 2) : x % 2
        const { kind, falling } = TILE[(place + 4 - turns) % 4] ?? TILE[0]
        const inset = kind === 'line' ? 1 : 0
        const d = petal(
          x * CELL + inset,
          y * CELL + inset,
          CELL - 2 * inset,
          falling !== (turns % 2 === 1),
        )
        return <path key={d} className={kind} d={d} />
      })}
    </svg>
  )
}

interface HeroProps extends Partial<PetalPanelProps> {
  eyebrow?: string
  headline: string
  intro?: string
  children?: ReactNode
}

/** The head of every page: the petal panel on one side, the text on the other. */
export function Hero({ eyebrow, headline, intro, children, rows = 4, ...panel }: HeroProps) {
  return (
    <section className="hero" data-sector={panel.sector}>
      <PetalPanel rows={rows} {...panel} />
      <div className="hero-words">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1>{headline}</h1>
        {intro && <p className="lead">{intro}</p>}
        {children && <div className="actions">{children}</div>}
      </div>
    </section>
  )
}
