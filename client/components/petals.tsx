import type { ReactNode } from 'react'
import { SECTORS, type Sector } from '../../shared/constants.ts'

/** The SVG path of a petal: two quarter circles in a square. */
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
          <path d="M0-6A66.5 66.5 0 0 1 0-100A66.5 66.5 0 0 1 0-6Z" />
        </g>
      ))}
    </svg>
  )
}

const CELL = 100
const KINDS: Record<string, string | undefined> = { d: 'dim', l: 'light', o: 'line' }

/** A picture of petals, written as characters. */
export interface Panel {
  /** Per cell: d dim, l light, o outlined. Lower-case petals rise to the right, upper-case fall. A dot is empty. */
  cells: string[]
  /** Petals of two by two cells, each written as character, x and y: `d12`. */
  large?: string[]
}

const CARPET: Panel = { cells: ['dldld', 'oDoDo'] }

function drawPetal(character: string, x: number, y: number, cells = 1) {
  const key = character.toLowerCase()
  const kind = KINDS[key]
  if (!kind) return null
  const inset = kind === 'line' ? 1 : 0
  const d = petal(x * CELL + inset, y * CELL + inset, cells * CELL - 2 * inset, character !== key)
  return <path key={d} className={kind} d={d} />
}

interface PetalPanelProps {
  sector?: Sector
  panel?: Panel
  /** Number of rows of petals. A phone shows about two of them. */
  rows: number
  error?: boolean
}

export function PetalPanel({ sector, panel = CARPET, rows, error }: PetalPanelProps) {
  const { cells, large = [] } = panel
  const columns = cells[0]?.length ?? 0
  return (
    <svg
      className="petal-panel"
      data-sector={sector}
      data-error={error}
      viewBox={`0 0 ${columns * CELL} ${rows * CELL}`}
      preserveAspectRatio={sector ? 'xMidYMin slice' : 'xMaxYMin slice'}
      aria-hidden="true"
    >
      {Array.from({ length: rows }, (_, y) =>
        [...(cells[y % cells.length] ?? '')].map((character, x) =>
          error && x === 3 && y === 0 ? null : drawPetal(character, x, y),
        ),
      )}
      {large.map(([character = '', x, y]) => drawPetal(character, Number(x), Number(y), 2))}
    </svg>
  )
}

interface HeroProps extends Partial<PetalPanelProps> {
  eyebrow?: string
  headline: string
  intro?: string
  children?: ReactNode
}

/** The top section of every page: a panel of petals, and beside or below it the text. */
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
