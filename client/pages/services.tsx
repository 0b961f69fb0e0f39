import { Link } from 'react-router-dom'
import { Deliverables } from '../components/deliverables.tsx'
import { Hero } from '../components/hero.tsx'
import { Mark } from '../components/petals.tsx'
import { useSite } from '../frame/site-provider.tsx'

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
