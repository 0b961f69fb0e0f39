import { Link } from 'react-router-dom'
import { getPath, type PageId } from '../../shared/pages.ts'
import { isSector, SERVICE_OF_SECTOR } from '../../shared/sectors.ts'
import { Deliverables, Sheet } from '../components/deliverables.tsx'
import { Hero } from '../components/hero.tsx'
import { SectorCards, Sign } from '../components/petals.tsx'
import { PrintLine } from '../components/print-line.tsx'
import { useSite } from '../frame/site-provider.tsx'

export function SectorPage({ page: sector }: { page: PageId }) {
  const { nav, divisions, headlines } = useSite().texts
  if (!isSector(sector)) throw new Error(`${sector} is not a sector's page`)
  const { callToAction } = divisions
  const texts = divisions.items[sector]
  const { title, offerings } = texts
  const [strongest, ...reasons] = texts.reasons
  const requestLink = (
    <Link className="button" to={`/contact?service=${SERVICE_OF_SECTOR[sector]}`}>
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
        texts={{ ...texts, headline: headlines[sector] }}
        sector={sector}
        plate={sector}
      >
        {requestLink}
      </Hero>
      <div className="band split tinted strongest" data-sector={sector}>
        <p>{strongest}</p>
        <Sign sector={sector} />
      </div>
      <section className="band" aria-labelledby="offerings" data-sector={sector}>
        <div className="split section-head">
          <h2 id="offerings">{divisions.offeringsTitle}</h2>
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
              <Deliverables
                label={divisions.deliverablesLabel}
                items={offering.deliverables}
                page={sector}
                index={index}
              />
            </li>
          ))}
        </ul>
      </section>
      <section className="band dark split" aria-labelledby="reasons" data-sector={sector}>
        <h2 id="reasons">{divisions.reasonsTitle}</h2>
        <ul className="features">
          {reasons.map((reason) => (
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
          <PrintLine text={callToAction.print} />
        </div>
      </section>
      <section className="band" aria-labelledby="others">
        <h2 id="others" className="section-head">
          {divisions.othersTitle}
        </h2>
        <SectorCards except={sector} />
      </section>
    </>
  )
}
