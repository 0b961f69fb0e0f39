import { Link } from 'react-router-dom'
import { Hero } from '../components/hero.tsx'
import { useSite } from '../site.tsx'

export function Services() {
  const { services } = useSite().texts
  const { callToAction } = services
  return (
    <>
      <Hero headline={services.headline} intro={services.intro} />
      <div className="band">
        <ol className="rows service-cards">
          {services.items.map(({ title, description, features }) => (
            <li key={title} className="split service-card">
              <h2>{title}</h2>
              <div className="stack">
                <p>{description}</p>
                <ul className="features">
                  {features.map((feature) => (
                    <li key={feature}>{feature}</li>
                  ))}
                </ul>
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
