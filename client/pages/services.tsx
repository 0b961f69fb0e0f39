import { Link } from 'react-router-dom'
import { Deliverables, Sheet } from '../components/deliverables.tsx'
import { Hero } from '../components/hero.tsx'
import { Mark } from '../components/petals.tsx'
import { useSite } from '../frame/site-provider.tsx'

/** One, two and three petals, as on the marks of the services. */
const CELLS = ['loo', 'llo', 'lll']

export function Services() {
  const { nav, services: texts } = useSite().texts
  const { callToAction } = texts
  return (
    <>
      <Hero texts={texts} cells={CELLS}>
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
              <Deliverables
                label={texts.featuresLabel}
                items={features}
                page="services"
                index={index}
              />
            </li>
          ))}
        </ol>
      </div>
      <section className="band split call-to-action" aria-labelledby="call-to-action">
        <Sheet page="services" />
        <div className="stack">
          <h2 id="call-to-action">{callToAction.label}</h2>
          <p>{callToAction.text}</p>
          <Link className="button" to="/#contact">
            {callToAction.action}
          </Link>
        </div>
      </section>
    </>
  )
}
