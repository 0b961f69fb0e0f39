import { useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { company } from '../../shared/content/company.ts'
import { fill, formatPhone } from '../../shared/format.ts'
import { SECTORS, SERVICE_OF_SECTOR } from '../../shared/sectors.ts'
import { attempt } from '../attempt.ts'
import { FirmAddress, FirmLines } from '../components/firm-facts.tsx'
import { Hero } from '../components/hero.tsx'
import { ContactForm } from '../form/contact-form.tsx'
import { useSite } from '../frame/site-context.ts'

const restoreScroll = (scrollRestoration: ScrollRestoration) =>
  void attempt(() => Object.assign(history, { scrollRestoration }))

/** After a reload, the page opens at its top. While it is open, Back and Forward restore its places. */
function openAtTop() {
  restoreScroll('auto')
  const leave = () => restoreScroll('manual')
  window.addEventListener('pagehide', leave)
  return () => window.removeEventListener('pagehide', leave)
}

const findField = () => document.querySelector<HTMLSelectElement>('#service')

/** The service that the form shows, and a function to call after a change. The page wears the colours of its sector. */
function useShownService() {
  const { documentState } = useSite()
  const { search } = useLocation()
  const isFollowed = useNavigationType() === 'PUSH'
  const [service, setService] = useState(documentState.service)
  const follow = () => setService(findField()?.value)
  // The link on a sector's page names its service. Following it replaces an earlier choice; Back and Forward do not.
  useLayoutEffect(() => {
    const linked = new URLSearchParams(search).get('service')
    const field = findField()
    if (isFollowed && linked && field) field.value = linked
    setService(field?.value)
  }, [search, isFollowed])
  return [service, follow] as const
}

export function Contact() {
  const { language, texts: content } = useSite()
  const { contact: texts, footer, divisions } = content
  const { facts, next } = texts
  const [service, follow] = useShownService()
  const sector = SECTORS.find((each) => SERVICE_OF_SECTOR[each] === service)
  const title = sector && divisions.items[sector].title
  useEffect(openAtTop, [])

  return (
    <>
      <Hero texts={texts} eyebrow={title} sector={sector}>
        <p className="emergency">{texts.emergency}</p>
        <a className="button to-form" href="#request">
          {texts.action}
        </a>
        <a className="button secondary" href={`tel:${company.phone}`}>
          {fill(texts.call, { phone: formatPhone(company.phone, language) })}
        </a>
      </Hero>
      <div className="band split contact" data-sector={sector} onChange={follow}>
        <ContactForm />
        <section className="stack" aria-labelledby="next-title">
          <h2 id="next-title">{next.title}</h2>
          <ol className="features">
            <li>{next.saved}</li>
            <li>{next.answer}</li>
            <li>{next.silence}</li>
          </ol>
        </section>
        <section className="stack" aria-labelledby="facts-title">
          <h2 id="facts-title">{facts.title}</h2>
          <dl className="facts">
            <FirmAddress label={facts.address} />
            <FirmLines labels={facts} />
            <dt>{facts.hours}</dt>
            <dd>{facts.hoursValue}</dd>
            <dd>{facts.holidays}</dd>
          </dl>
        </section>
        <section className="stack" id="accessibility" aria-labelledby="accessibility-title">
          <h2 id="accessibility-title">{footer.accessibility}</h2>
          <p>{footer.formats}</p>
          <p>{texts.barrier}</p>
        </section>
      </div>
    </>
  )
}
