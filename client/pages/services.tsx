import { Link } from 'react-router-dom'
import { Hero } from '../components/hero.tsx'
import { Mark } from '../components/petals.tsx'
import { Sheet } from '../components/sheet.tsx'
import { useSite } from '../frame/site-context.ts'

export function Services() {
  const { nav, services: texts } = useSite().texts
  const { callToAction } = texts
  return (
    <>
      <Hero texts={texts}>
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
