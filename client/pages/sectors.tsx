import { Link } from 'react-router-dom'
import { fill } from '../../shared/format.ts'
import { getPath } from '../../shared/pages.ts'
import { SECTORS, type Sector } from '../../shared/sectors.ts'
import { Hero } from '../components/hero.tsx'
import { Sign } from '../components/petals.tsx'
import { useSite } from '../frame/site-context.ts'

export function Sectors() {
  const { divisions: texts } = useSite().texts
  return (
    <>
      <Hero texts={texts} />
      <div className="band">
        <ul className="sector-tiles">
          {SECTORS.map((sector) => (
            <SectorTile key={sector} sector={sector} />
          ))}
        </ul>
      </div>
    </>
  )
}

function SectorTile({ sector }: { sector: Sector }) {
  const { explore, tagsLabel, items } = useSite().texts.divisions
  const { title, subtitle, description, tags } = items[sector]
  return (
    <li className="stack sector-tile" data-sector={sector}>
      <Sign sector={sector} />
      <h2>{title}</h2>
      <p className="subtitle">{subtitle}</p>
      <p>{description}</p>
      <ul className="tags hint" aria-label={tagsLabel}>
        {tags.map((tag) => (
          <li key={tag}>{tag}</li>
        ))}
      </ul>
      <Link className="more" to={getPath(sector)}>
        {fill(explore, { sector: title })}
      </Link>
    </li>
  )
}
