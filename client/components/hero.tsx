import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { getPath } from '../../shared/pages.ts'
import { SECTORS, type Sector } from '../../shared/sectors.ts'
import { useSite } from '../frame/site-provider.tsx'
import { LanguageButton } from './language-button.tsx'
import { Petals, Sign } from './petals.tsx'

interface HeroProps {
  texts: Record<'headline' | 'intro', string>
  eyebrow?: ReactNode
  children?: ReactNode
  /** The panel beside the words: petals, or else what it shows in their place. */
  cells?: string[]
  panel?: ReactNode
  /** The panel shows the sector's sign and colours. */
  sector?: Sector
  error?: boolean
  /** The page whose headline stands at the foot of the panel, in the other language. */
  plate?: Sector | 'home'
}

/** The top section of every page: the words, and a panel beside them or, on a phone, above them. */
export function Hero({ texts, eyebrow, children, sector, error, plate, ...props }: HeroProps) {
  const cells = sector ? SECTOR_CELLS[sector] : props.cells
  return (
    <section className="hero" data-sector={sector} data-error={error}>
      <div className="hero-words">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1>{texts.headline}</h1>
        <p className="lead">{texts.intro}</p>
        {children && <div className="actions">{children}</div>}
      </div>
      <div className="hero-panel">
        {cells ? <Petals cells={cells} align={sector ? 'xMid' : 'xMax'} /> : props.panel}
        {sector && <Sign sector={sector} />}
      </div>
      {plate && <Plate page={plate} />}
    </section>
  )
}

/** Rows of petals behind each sector's sign: arches, rings, leaves, zigzags. */
const SECTOR_CELLS: Record<Sector, string[]> = {
  'public-safety': ['dDdDdD'],
  'francophone-services': ['DdDdDd', 'dDdDdD'],
  'health-safety': ['dddddd'],
  'animal-first-aid': ['dddddd', 'DDDDDD'],
}

/** All signs and names, as links for mouse and touch only: the list below has the same links for keyboards and screen
 * readers. */
export function Doors() {
  const { items } = useSite().texts.divisions
  return SECTORS.map((sector) => (
    <Link key={sector} to={getPath(sector)} data-sector={sector} tabIndex={-1} aria-hidden="true">
      <Sign sector={sector} />
      <span>{items[sector].title}</span>
    </Link>
  ))
}

/** The headline of the page in the other language, as a button for that language. */
function Plate({ page }: { page: Sector | 'home' }) {
  const { nav, other } = useSite().texts
  return (
    <LanguageButton className="plate" data-name={other.name}>
      <span className="plate-headline">{other.headlines[page]}</span>
      <span>{nav.toggle.name}</span>
    </LanguageButton>
  )
}
