import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { company } from '../../shared/content/company.ts'
import { fill, formatPhone } from '../../shared/format.ts'
import { SECTORS, SERVICE_OF_SECTOR } from '../../shared/sectors.ts'
import { attempt } from '../attempt.ts'
import { FirmFacts } from '../components/firm-facts.tsx'
import { Hero } from '../components/hero.tsx'
import { ContactForm } from '../form/contact-form.tsx'
import { useFormContext } from '../form/form-provider.tsx'
import { useSite } from '../frame/site-provider.tsx'

/** Two voices. */
const CELLS = ['dlLD', 'DOod']

const restoreScroll = (scrollRestoration: ScrollRestoration) =>
  void attempt(() => Object.assign(history, { scrollRestoration }))

/** After a reload, the page opens at its top. While it is open, Back and Forward restore its places. */
function openAtTop() {
  const enter = () => restoreScroll('auto')
  const leave = () => restoreScroll('manual')
  enter()
  // Also after a return from another site by Back.
  window.addEventListener('pageshow', enter)
  window.addEventListener('pagehide', leave)
  return () => {
    window.removeEventListener('pageshow', enter)
    window.removeEventListener('pagehide', leave)
  }
}

/** The link on a sector's page names its service. Following it replaces an earlier choice; Back and Forward do not. */
function useLinkedService() {
  const { service, setService } = useFormContext()
  const linked = new URLSearchParams(useLocation().search).get('service')
  const isFollowed = useNavigationType() === 'PUSH'
  useLayoutEffect(() => {
    const select = document.querySelector<HTMLSelectElement>('#service')
    if (!isFollowed || !linked || !select) return
    select.value = linked
    setService(linked)
  }, [isFollowed, linked, setService])
  return service
}

export function Contact() {
  const { language, texts: content } = useSite()
  const { contact: texts, footer, divisions } = content
  const { facts, next } = texts
  const service = useLinkedService()
  const sector = SECTORS.find((each) => SERVICE_OF_SECTOR[each] === service)
  const title = sector && divisions.items[sector].title
  useEffect(openAtTop, [])

  return (
    <>
      <Hero texts={texts} eyebrow={title} sector={sector} cells={CELLS}>
        <p className="emergency">{texts.emergency}</p>
        <a className="button to-form" href="#request">
          {texts.action}
        </a>
        <a className="button secondary" href={`tel:${company.phone}`}>
          {fill(texts.call, { phone: formatPhone(company.phone, language) })}
        </a>
      </Hero>
      <div className="band split contact" data-sector={sector}>
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
            <FirmFacts labels={facts} />
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
