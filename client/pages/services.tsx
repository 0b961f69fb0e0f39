import { Link } from 'react-router-dom'
import { Hero } from '../components/hero.tsx'
import { Mark } from '../components/petals.tsx'
import { Sheet } from '../components/sheet.tsx'
import { useSite } from '../frame/site-context.ts'

const PANEL = { cells: ['......'], large: ['o00', 'd20', 'l40', 'd02', 'l22', 'd42'] }

export function Services() {
  const { nav, services: texts } = useSite().texts
  const { sequence, callToAction } = texts
  return (
    <>
      <Hero texts={texts} panel={PANEL}>
        <Link className="button" to="/contact">
          {nav.contact}
        </Link>
      </Hero>
      <div className="band">
        <ol className="rows">
          {texts.items.map(({ title, description, features }, index) => (
            <li key={title} id={`service-${index + 1}`} className="split service-card">
              <div className="stack">
                <Mark count={index + 1} />
                <h2>{title}</h2>
                <p>{description}</p>
              </div>
              <div className="deliverables">
                <p className="eyebrow">{texts.featuresLabel}</p>
                <ul className="features">
                  {features.map((feature) => (
                    <li key={feature}>{feature}</li>
                  ))}
                </ul>
                <Sheet page="services" index={index} />
              </div>
            </li>
          ))}
        </ol>
      </div>
      <section className="band dark split" aria-labelledby="sequence">
        <div className="stack">
          <h2 id="sequence">{sequence.title}</h2>
          <p className="lead">{sequence.intro}</p>
        </div>
        <ol className="service-list">
          {sequence.steps.map(({ title, text }, index) => (
            <li key={title}>
              <Mark count={index + 1} />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className="band split call-to-action" aria-labelledby="call-to-action">
        <h2 id="call-to-action">{callToAction.label}</h2>
        <div className="stack">
          <p>{callToAction.text}</p>
          <Link className="button" to="/#contact">
            {callToAction.action}
          </Link>
        </div>
      </section>
    </>
  )
}
