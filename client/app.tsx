import { memo, use, useCallback, useEffect, useRef, useState } from 'react'
import type { PageState } from '../shared/page-state.ts'
import { getPage, type PageId } from '../shared/pages.ts'
import { attempt } from './attempt.ts'
import { Mark } from './components/petals.tsx'
import { ErrorBoundary, useCrash } from './crash.tsx'
import { CookieBanner } from './frame/cookie-banner.tsx'
import { Footer } from './frame/footer.tsx'
import { Header } from './frame/header.tsx'
import { RouteAnnouncer } from './frame/route-announcer.tsx'
import { type FrameContent, useSite } from './frame/site-context.ts'
import { SiteProvider } from './frame/site-provider.tsx'
import { ToastOutlet } from './frame/toasts.tsx'
import { findLoadedPage, forgetVisit, visitPage } from './page-loader.ts'
import { ServerError } from './pages/errors.tsx'
import { storedConsent } from './storage.ts'

export function App({ state, texts }: { state: PageState; texts: FrameContent }) {
  return (
    <SiteProvider state={state} texts={texts}>
      <ErrorBoundary fallback={<Failure />}>
        <Frame />
      </ErrorBoundary>
    </SiteProvider>
  )
}

function Failure() {
  return <ServerError texts={useSite().texts['server-error']} />
}

// Memoized, so that React does not render these parts again when the splash or the banner disappears.
const StableHeader = memo(Header)
const StableFooter = memo(Footer)
const PageView = memo(({ page, answer }: { page: PageId; answer?: PageState }) => {
  const { language } = useSite()
  const { View, texts } = findLoadedPage(page, language) ?? use(visitPage(page, language))
  return <View page={page} texts={texts} answer={answer} />
})

function Frame() {
  const { texts, answer, language, ...current } = useSite()
  const [hasCrashed, crash] = useCrash()
  const page = hasCrashed ? getPage('server-error') : current.page
  const [hasSplash, setSplash] = useState(true)
  const [banner, setBanner] = useState<{ opener?: HTMLElement }>()
  const openBanner = useCallback((opener?: HTMLElement) => setBanner({ opener }), [])
  const fail = () => {
    forgetVisit(current.page.id, language)
    crash()
  }
  const endSplash = useCallback(() => {
    const consent = storedConsent.read()
    setSplash(false)
    if (consent) storedConsent.write(consent)
    else setBanner({})
  }, [])
  return (
    <>
      {hasSplash && <Splash name={texts.brand.name} onEnd={endSplash} />}
      <a className="skip-link" href="#main">
        {texts.nav.skip}
      </a>
      <StableHeader page={page} />
      <RouteAnnouncer page={page} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={page.id} fallback={<Failure />} onError={fail}>
          <PageView page={page.id} answer={hasCrashed ? undefined : answer} />
        </ErrorBoundary>
      </main>
      <StableFooter onCookies={openBanner} />
      {banner && <CookieBanner {...banner} onClose={() => setBanner(undefined)} />}
      {/* A blocker of overlays may have removed a toast that React then tries to remove. */}
      <ErrorBoundary fallback={null}>
        <ToastOutlet />
      </ErrorBoundary>
    </>
  )
}

/** Covers the page until the splash's animation ends. client/boot.ts ends the animation at the first input. */
function Splash({ name, onEnd }: { name: string; onEnd: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const ends = attempt(() => element.current?.getAnimations().map(({ finished }) => finished))
    Promise.allSettled(ends ?? []).then(onEnd)
  }, [onEnd])
  // React removes the outer element: blockers of overlays may already have removed the inner one.
  return (
    <div className="splash-frame">
      <div id="splash" className="splash" ref={element} aria-hidden="true">
        <Mark />
        <span>{name}</span>
      </div>
    </div>
  )
}
