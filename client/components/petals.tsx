import { Link } from 'react-router-dom'
import { getPath } from '../../shared/pages.ts'
import { SECTORS, type Sector } from '../../shared/sectors.ts'
import { useSite } from '../frame/site-provider.tsx'

/** The sign of a sector: a beacon, guillemets, a check mark or a paw. client/index.html holds the paths, so that the scripts need none. */
export function Sign({ sector }: { sector: Sector }) {
  return (
    <svg className="sign" data-sector={sector} aria-hidden="true">
      <use href={`#sign-${sector}`} />
    </svg>
  )
}

const CELL = 100
const KINDS: Record<string, string | undefined> = { d: 'dim', l: 'light', o: 'line', g: 'gap' }
/** Number of rows of petals. A phone shows fewer than two of them. */
const ROWS = 4

interface PetalsProps {
  /** Rows, repeated: d dim, l light, o outlined, g a gap. Lower-case petals rise to the right, upper-case fall. */
  cells: string[]
  align: 'xMid' | 'xMax'
}

function drawPetal(character: string, x: number, y: number) {
  const key = character.toLowerCase()
  return (
    <use
      key={`${x} ${y}`}
      className={KINDS[key]}
      href={character === key ? '#petal-rises' : '#petal-falls'}
      x={x * CELL}
      y={y * CELL}
      width={CELL}
      height={CELL}
    />
  )
}

/** A picture of petals, written as characters. */
export function Petals({ cells, align }: PetalsProps) {
  const width = (cells[0]?.length ?? 0) * CELL
  return (
    <svg
      className="petals"
      viewBox={`0 0 ${width} ${ROWS * CELL}`}
      preserveAspectRatio={`${align}YMin slice`}
      aria-hidden="true"
    >
      {Array.from({ length: ROWS }, (_, y) =>
        [...(cells[y % cells.length] ?? '')].map((character, x) => drawPetal(character, x, y)),
      )}
    </svg>
  )
}

/** The firm's mark: three petals around a point, for its three services. The first `count` petals are filled, the others outlined. */
export function Mark({ count = 3 }) {
  return (
    <svg className="mark" viewBox="-88 -101 176 155" aria-hidden="true">
      {[0, 120, 240].map((angle, index) => (
        <g
          key={angle}
          className={index < count ? undefined : 'line'}
          transform={`rotate(${angle})`}
        >
          <path d="M0-6A66.5 66.5 0 0 1 0-100A66.5 66.5 0 0 1 0-6Z" />
        </g>
      ))}
    </svg>
  )
}

/** Leads to all sectors, except the one whose page it is on. */
export function SectorCards({ except }: { except?: Sector }) {
  const { items } = useSite().texts.divisions
  return (
    <ul className="cards">
      {SECTORS.filter((sector) => sector !== except).map((sector) => (
        <li key={sector} className="card" data-sector={sector}>
          <Sign sector={sector} />
          <h3>
            <Link to={getPath(sector)}>{items[sector].title}</Link>
          </h3>
          <p>{items[sector].summary}</p>
        </li>
      ))}
    </ul>
  )
}
