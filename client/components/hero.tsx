import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { getPath } from '../../shared/pages.ts'
import { SECTORS, type Sector } from '../../shared/sectors.ts'
import { useSite } from '../frame/site-context.ts'
import { LanguageButton } from './language-button.tsx'
import { Sign } from './petals.tsx'

const CELL = 100
const KINDS: Record<string, string | undefined> = { d: 'dim', l: 'light', o: 'line', g: 'gap' }

/** A picture of petals, written as characters. */
interface Panel {
  /** Rows, repeated: d dim, l light, o outlined. Lower-case petals rise to the right, upper-case fall. A dot is empty, g a gap. */
  cells: string[]
  /** Petals of two by two cells, each written as character, x and y: `d12`. */
  large?: string[]
}

function drawPetal(character: string, x: number, y: number, cells = 1) {
  const key = character.toLowerCase()
  const kind = KINDS[key]
  if (!kind) return null
  const size = cells * CELL
  return (
    <use
      key={`${x} ${y} ${cells}`}
      className={kind}
      href={character === key ? '#petal-rises' : '#petal-falls'}
      x={x * CELL}
      y={y * CELL}
      width={size}
      height={size}
    />
  )
}

/** The panel behind each sector's sign, all in dim petals: arches, rings, rows of leaves, zigzags. */
const PANELS: Record<Sector, Panel> = {
  'public-safety': { cells: ['dDdDdD'] },
  'francophone-services': { cells: ['DdDdDd', 'dDdDdD'] },
  'health-safety': { cells: ['dddddd'] },
  'animal-first-aid': { cells: ['dddddd', 'DDDDDD'] },
}

/** The panel of an error page: one petal is missing. */
const BROKEN: Panel = { cells: ['dldgd', 'oDoDo', 'dldld', 'oDoDo'] }

/** Number of rows of petals. A phone shows fewer than two of them. */
const ROWS = 4

function Petals({ cells, large = [], align }: Panel & { align: string }) {
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
      {large.map(([character = '', x, y]) => drawPetal(character, Number(x), Number(y), 2))}
    </svg>
  )
}

interface HeroProps {
  texts: Record<'headline' | 'intro', string>
  eyebrow?: ReactNode
  children?: ReactNode
  /** The sector's sign and colours, in place of `panel`. */
  sector?: Sector
  /** Without `panel`, `sector` and `error`, all signs and names are shown, as links for mouse and touch only: the list below
   * has the same links for keyboards and screen readers. */
  panel?: Panel
  error?: boolean
}

/** The top section of every page: the text, and a panel of petals or signs above a button for the other language. */
export function Hero({ texts, eyebrow, children, sector, error, ...props }: HeroProps) {
  const { nav, divisions, other } = useSite().texts
  const panel = error ? BROKEN : sector ? PANELS[sector] : props.panel
  return (
    <section className="hero" data-sector={sector} data-error={error}>
      <div className="hero-words">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1>{texts.headline}</h1>
        <p className="lead">{texts.intro}</p>
        {children && <div className="actions">{children}</div>}
      </div>
      <div className="hero-panel">
        <div className="petal-panel">
          {panel && <Petals {...panel} align={sector ? 'xMid' : 'xMax'} />}
          {panel
            ? sector && <Sign sector={sector} />
            : SECTORS.map((each) => (
                <Link
                  key={each}
                  to={getPath(each)}
                  data-sector={each}
                  tabIndex={-1}
                  aria-hidden="true"
                >
                  <Sign sector={each} />
                  <span>{divisions.items[each].title}</span>
                </Link>
              ))}
        </div>
        <LanguageButton className="hero-turn" data-name={other.name}>
          <span className="hero-echo">{other.headline}</span>
          <span>{nav.toggle.name}</span>
        </LanguageButton>
      </div>
    </section>
  )
}
