import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { CONSENT_KEY, type Consent } from '../../shared/consent.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { attempt } from '../attempt.ts'
import { Icon } from '../components/icon.tsx'
import { storedConsent } from '../storage.ts'
import { useSite } from './site-provider.tsx'
import { announce } from './status.tsx'

/** The privacy policy has a section `cookies`. */
const ID = 'cookie-banner'

/** The banner opens after the splash if no choice is stored, and when the visitor asks for it. */
export function useCookieBanner(hasSplash: boolean) {
  const { banner: texts } = useSite().texts.privacy
  const [shown, setShown] = useState<{ opener?: HTMLElement; time: number }>()
  const openBanner = (opener: HTMLElement) => setShown({ opener, time: Date.now() })
  useEffect(() => {
    if (!hasSplash && !storedConsent.read()) setShown({ time: 0 })
  }, [hasSplash])
  // A blocker of overlays may have removed the section: the outer element is React's, and a new key opens a new banner.
  const banner = shown && (
    <div key={shown.time}>
      <CookieBanner opener={shown.opener} onClose={() => setShown(undefined)} />
    </div>
  )
  // The banner is the last part of the document.
  const skipLink = shown && (
    <a className="skip-link" href={`#${ID}`} onClick={moveToBanner}>
      {texts.skip}
    </a>
  )
  return { banner, skipLink, openBanner }
}

/** Does not scroll, because the banner is always in sight. */
function moveToBanner(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById(ID)?.focus({ preventScroll: true })
}

interface CookieBannerProps {
  /** The button, if any, that opened the banner. */
  opener?: HTMLElement
  onClose: () => void
}

function CookieBanner({ opener, onClose }: CookieBannerProps) {
  const { language, texts } = useSite()
  const { banner } = texts.privacy
  const section = useRef<HTMLElement>(null)

  const open = useEffectEvent((element: HTMLElement) => {
    // Tells the styles the height: 0 when a blocker hides the banner, or it has closed.
    const { style } = document.documentElement
    const measure = () => style.setProperty('--banner-height', `${element.offsetHeight}px`)
    measure()
    attempt(() => new ResizeObserver(measure).observe(element))
    if (opener) {
      element.focus()
      return
    }
    announce(banner.opened)
    // Late scripts may open the banner over the field in which the visitor types.
    const focused = document.querySelector(':focus')
    const { top, bottom } = focused?.getBoundingClientRect() ?? new DOMRect()
    const isCovered = bottom > element.getBoundingClientRect().top && top < window.innerHeight
    if (isCovered) focused?.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    attempt(() => section.current && open(section.current))
  }, [])

  const close = () => {
    const hasFocus = section.current?.contains(document.activeElement)
    const back = opener ?? document.getElementById('main')
    if (hasFocus) attempt(() => back?.focus({ preventScroll: true }))
    onClose()
  }
  const choose = (choice: Consent) => {
    storedConsent.write(choice)
    close()
  }
  /** A choice in another tab, or before a return by the Back button, closes the banner here. */
  const follow = useEffectEvent((event: StorageEvent | PageTransitionEvent) => {
    const isChoice = 'key' in event ? event.key === CONSENT_KEY : event.persisted
    if (isChoice && storedConsent.read()) close()
  })
  useEffect(() => {
    const events = ['storage', 'pageshow'] as const
    for (const event of events) window.addEventListener(event, follow)
    return () => {
      for (const event of events) window.removeEventListener(event, follow)
    }
  }, [])

  return (
    <section
      className="cookie-banner"
      id={ID}
      aria-label={banner.label}
      ref={section}
      tabIndex={-1}
    >
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
        <button className="button secondary" type="button" onClick={() => choose('accepted')}>
          {banner.accept}
        </button>
        <button className="button secondary" type="button" onClick={() => choose('necessary-only')}>
          {banner.essential}
        </button>
      </div>
      <button className="close" type="button" aria-label={banner.close} onClick={close}>
        <Icon name="close" />
      </button>
    </section>
  )
}
