import { Link } from 'react-router-dom'
import { fill } from '../../shared/format.ts'
import { getPath } from '../../shared/pages.ts'
import { SECTORS } from '../../shared/sectors.ts'
import { Hero } from '../components/hero.tsx'
import { Sign } from '../components/petals.tsx'
import { useSite } from '../frame/site-provider.tsx'

const CELLS = ['lDdL', 'DdLd', 'dLdD', 'DdDd']

export function Sectors() {
  const { divisions: texts } = useSite().texts
  const sectors = SECTORS.map((sector) => ({ sector, ...texts.items[sector] }))
  return (
    <>
      <Hero texts={texts} cells={CELLS} />
      <div className="band">
        <ul className="sector-tiles">
          {sectors.map(({ sector, title, subtitle, description, tags }) => (
            <li key={sector} className="stack sector-tile" data-sector={sector}>
              <Sign sector={sector} />
              <h2>{title}</h2>
              <p className="subtitle">{subtitle}</p>
              <p>{description}</p>
              <ul className="tags hint" aria-label={texts.tagsLabel}>
                {tags.map((tag) => (
                  <li key={tag}>{tag}</li>
                ))}
              </ul>
              <Link className="more" to={getPath(sector)}>
                {fill(texts.explore, { sector: title })}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
