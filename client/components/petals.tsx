import { Link } from 'react-router-dom'
import { getPath } from '../../shared/pages.ts'
import { SECTORS, type Sector } from '../../shared/sectors.ts'
import { useSite } from '../frame/site-context.ts'

/** The sign of a sector: a beacon, guillemets, a check mark or a paw. client/index.html holds the paths, so that the scripts need none. */
export function Sign({ sector }: { sector: Sector }) {
  return (
    <svg className="sign" data-sector={sector} aria-hidden="true">
      <use href={`#sign-${sector}`} />
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
    <ul className="sector-cards">
      {SECTORS.filter((sector) => sector !== except).map((sector) => (
        <li key={sector} className="sector-card" data-sector={sector}>
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
