import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { pathOf, privacyPage } from '../../shared/pages.ts'
import { useSite } from '../site.tsx'
import { type Consent, readConsent, writeConsent } from '../storage.ts'
import { Tooltip } from './tooltip.tsx'

/** `asked` counts how often the visitor asked to see the choice again. */
export function CookieBanner({ asked }: { asked: number }) {
  const { language, texts } = useSite()
  const { banner } = texts.privacy
  const [shown, setShown] = useState(() => !readConsent())
  useEffect(() => {
    if (asked > 0) setShown(true)
  }, [asked])
  if (!shown) return null

  const choose = (choice: Consent) => {
    writeConsent(choice)
    setShown(false)
  }
  return (
    <section className="cookie-banner" aria-label={banner.label}>
      <p>
        {banner.text} <Link to={pathOf(privacyPage(language))}>{banner.link}</Link>
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
        <button
          className="close"
          type="button"
          aria-label={banner.close}
          onClick={() => setShown(false)}
        >
          <X size={20} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </Tooltip>
    </section>
  )
}
