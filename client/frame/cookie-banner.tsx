import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { Tooltip } from '../components/tooltip.tsx'
import { type Consent, storedConsent } from '../storage.ts'
import { useSite } from './site-context.ts'

interface CookieBannerProps {
  /** The button, if any, that opened the banner. */
  opener?: HTMLElement
  onClose: () => void
}

export function CookieBanner({ opener, onClose }: CookieBannerProps) {
  const { language, texts } = useSite()
  const { banner } = texts
  const section = useRef<HTMLElement>(null)

  useEffect(() => {
    if (opener) section.current?.focus()
  }, [opener])

  const close = () => {
    const hasFocus = section.current?.contains(document.activeElement)
    const back = opener ?? document.getElementById('main')
    if (hasFocus) back?.focus({ preventScroll: true })
    onClose()
  }
  const choose = (choice: Consent) => {
    storedConsent.write(choice)
    close()
  }
  return (
    <section className="cookie-banner" aria-label={banner.label} ref={section} tabIndex={-1}>
      <p>
        <span>{banner.text}</span> <Link to={getPath(getPrivacyPage(language))}>{banner.link}</Link>
      </p>
      <details className="cookie-details">
        <summary>{banner.details}</summary>
        <dl>
          {banner.categories.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
      <div className="actions">
        <button className="button" type="button" onClick={() => choose('accepted')}>
          {banner.accept}
        </button>
        <button className="button" type="button" onClick={() => choose('necessary-only')}>
          {banner.essential}
        </button>
      </div>
      <Tooltip text={banner.close}>
        <button className="close" type="button" aria-label={banner.close} onClick={close}>
          <X size={20} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </Tooltip>
    </section>
  )
}
