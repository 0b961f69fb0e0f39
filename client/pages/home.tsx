import { Link } from 'react-router-dom'
import { SECTORS } from '../../shared/business.ts'
import { pathOf } from '../../shared/pages.ts'
import { FirmFacts } from '../components/firm-facts.tsx'
import { Hero } from '../components/hero.tsx'
import { Petal } from '../components/petals.tsx'
import { useSite } from '../site.tsx'

export function Home() {
  const { hero, brand, divisions, services } = useSite().texts
  return (
    <>
      <Hero eyebrow={brand.region} headline={hero.headline} intro={hero.intro} rows={5}>
        <Link className="button" to="/contact">
          {hero.primaryAction}
        </Link>
        <Link className="button secondary" to="/services">
          {hero.secondaryAction}
        </Link>
      </Hero>
      <section className="band" aria-labelledby="sectors">
        <div className="split section-head">
          <h2 id="sectors">{hero.sectors.title}</h2>
          <p>{hero.sectors.intro}</p>
        </div>
        <ul className="sector-cards">
          {SECTORS.map((sector) => (
            <li key={sector} className="sector-card" data-sector={sector}>
              <Petal sector={sector} />
              <h3>
                <Link to={pathOf(sector)}>{divisions.items[sector].title}</Link>
              </h3>
              <p>{divisions.items[sector].summary}</p>
            </li>
          ))}
        </ul>
      </section>
      <section className="band dark" aria-labelledby="services">
        <div className="split section-head">
          <h2 id="services">{hero.services.title}</h2>
          <p>{hero.services.intro}</p>
        </div>
        <ol className="service-list">
          {services.items.map(({ title, summary }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{summary}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className="band split" id="contact" aria-labelledby="contact-title">
        <div className="stack">
          <h2 id="contact-title">{hero.contact.title}</h2>
          <p>{hero.contact.intro}</p>
          <Link className="button" to="/contact">
            {hero.contact.action}
          </Link>
        </div>
        <FirmFacts />
      </section>
    </>
  )
}
