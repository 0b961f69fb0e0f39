import { Link } from 'react-router-dom'
import { FirmFacts } from '../components/firm-facts.tsx'
import { Doors, Hero } from '../components/hero.tsx'
import { Mark, SectorCards } from '../components/petals.tsx'
import { useSite } from '../frame/site-provider.tsx'

export function Home() {
  const { brand, contact, headlines, hero: texts, services } = useSite().texts
  const { address: _, ...labels } = contact.facts
  return (
    <>
      <Hero
        eyebrow={brand.trade}
        texts={{ ...texts, headline: headlines.home }}
        panel={<Doors />}
        plate="home"
      >
        <Link className="button" to="/contact">
          {texts.primaryAction}
        </Link>
        <Link className="button secondary" to="/services">
          {texts.secondaryAction}
        </Link>
      </Hero>
      <section className="band" aria-labelledby="sectors">
        <div className="split section-head">
          <h2 id="sectors">{texts.sectors.title}</h2>
          <p>{texts.sectors.intro}</p>
        </div>
        <SectorCards />
      </section>
      <section className="band dark" aria-labelledby="services">
        <div className="split section-head">
          <h2 id="services">{texts.services.title}</h2>
          <p>{texts.services.intro}</p>
        </div>
        <ol className="cards">
          {services.items.map(({ title, summary }, index) => (
            <li key={title} className="card">
              <Mark count={index + 1} />
              <h3>
                <Link to={`/services#service-${index + 1}`}>{title}</Link>
              </h3>
              <p>{summary}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className="band split call-to-action" id="contact" aria-labelledby="contact-title">
        <h2 id="contact-title">{texts.contact.title}</h2>
        <div className="stack">
          <p>{texts.contact.intro}</p>
          <Link className="button" to="/contact">
            {texts.contact.action}
          </Link>
        </div>
        <dl className="facts">
          <FirmFacts labels={labels} />
        </dl>
      </section>
    </>
  )
}
