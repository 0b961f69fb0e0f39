import { Link } from 'react-router-dom'
import { getPath } from '../../shared/pages.ts'
import { Hero } from '../components/hero.tsx'
import { SectorCards } from '../components/petals.tsx'
import { Sheet } from '../components/sheet.tsx'
import { useSite, type ViewProps } from '../frame/site-context.ts'

export function SectorPage({ page, texts }: ViewProps<'sector'>) {
  const { nav, sectors } = useSite().texts
  const own = sectors.find((each) => each.sector === page)
  if (!own) throw new Error(`${page} is not a sector's page`)
  const { sector, service } = own
  const { title, offerings, callToAction } = texts
  const requestLink = (
    <Link className="button" to={`/contact?service=${service}`}>
      {callToAction.action}
    </Link>
  )
  return (
    <>
      <Hero
        eyebrow={
          <>
            <Link to={getPath('sectors')}>{nav.sectors}</Link>
            {'\u00a0/ '}
            <span>{title}</span>
          </>
        }
        texts={texts}
        sector={sector}
      >
        {requestLink}
      </Hero>
      <section className="band" aria-labelledby="offerings" data-sector={sector}>
        <div className="split section-head">
          <h2 id="offerings">{texts.offeringsTitle}</h2>
          <nav className="contents" aria-labelledby="offerings">
            <ul>
              {offerings.map(({ title: offering }, index) => (
                <li key={offering}>
                  <a href={`#offering-${index + 1}`}>{offering}</a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <ul className="rows">
          {offerings.map((offering, index) => (
            <li key={offering.title} id={`offering-${index + 1}`} className="split offering">
              <div className="stack">
                <h3>{offering.title}</h3>
                <p>{offering.description}</p>
              </div>
              <div className="deliverables">
                <p className="eyebrow">{texts.deliverablesLabel}</p>
                <ul className="features">
                  {offering.deliverables.map((deliverable) => (
                    <li key={deliverable}>{deliverable}</li>
                  ))}
                </ul>
                <Sheet page={sector} index={index} />
              </div>
            </li>
          ))}
        </ul>
      </section>
      <section className="band dark split" aria-labelledby="reasons" data-sector={sector}>
        <h2 id="reasons">{texts.reasonsTitle}</h2>
        <ul className="features">
          {texts.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </section>
      <section
        className="band split call-to-action"
        aria-labelledby="call-to-action"
        data-sector={sector}
      >
        <Sheet page={sector} />
        <div className="stack">
          <h2 id="call-to-action">{callToAction.label}</h2>
          <p>{callToAction.text}</p>
          {requestLink}
          <p className="hint needs-script">
            <button className="link-button" type="button" onClick={() => window.print()}>
              {callToAction.print}
            </button>
          </p>
        </div>
      </section>
      <section className="band" aria-labelledby="others">
        <h2 id="others" className="section-head">
          {texts.othersTitle}
        </h2>
        <SectorCards cards={texts.others} />
      </section>
    </>
  )
}
