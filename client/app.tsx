import { memo, use, useCallback, useEffect, useRef, useState } from 'react'
import { getContentName } from '../shared/page-content.ts'
import type { PageState } from '../shared/page-state.ts'
import { getPage, type PageId } from '../shared/pages.ts'
import { attempt } from './attempt.ts'
import { Mark } from './components/petals.tsx'
import { ErrorBoundary, useCrash } from './crash.tsx'
import { useCookieBanner } from './frame/cookie-banner.tsx'
import { Footer } from './frame/footer.tsx'
import { Header } from './frame/header.tsx'
import { NavigationEffects } from './frame/navigation-effects.tsx'
import { type FrameContent, useSite } from './frame/site-context.ts'
import { SiteProvider } from './frame/site-provider.tsx'
import { ToastOutlet } from './frame/toast-store.tsx'
import { forgetFailedLoad, getPageOrLoad } from './page-loader.ts'
import { ServerError } from './pages/errors.tsx'

export function App({ state, texts }: { state: PageState; texts: FrameContent }) {
  return (
    <SiteProvider documentState={state} texts={texts}>
      <ErrorBoundary fallback={<ServerError />}>
        <Frame />
      </ErrorBoundary>
    </SiteProvider>
  )
}

// Memoized, so that React does not render these parts again when the splash ends, or the banner opens or closes.
const StableHeader = memo(Header)
const StableFooter = memo(Footer)
// useCurrentPage in site-provider.tsx finds the page of a new URL. Without a Suspense boundary: the navigations of React
// Router are transitions, so React keeps the old page until the new one is loaded.
const PageView = memo(({ page }: { page: PageId }) => {
  const loaded = getPageOrLoad(page, useSite().language)
  const { View, texts } = loaded instanceof Promise ? use(loaded) : loaded
  return <View page={page} texts={texts} />
})

function Frame() {
  const { texts, language, page: routedPage } = useSite()
  const [hasCrashed, crash] = useCrash()
  const page = hasCrashed ? getPage('server-error') : routedPage
  const [hasSplash, setSplash] = useState(true)
  const endSplash = useCallback(() => setSplash(false), [])
  const { banner, openBanner } = useCookieBanner(hasSplash)
  /** The page could not be loaded or rendered: its boundary shows the fallback and calls this. Forgets the failed load, so that a
   * later visit tries again. `crash` then makes server-error the page, and its key replaces the boundary. */
  const fail = () => {
    forgetFailedLoad(routedPage.id, language)
    crash()
  }
  return (
    <>
      {hasSplash && <Splash brand={texts.brand} onEnd={endSplash} />}
      <a className="skip-link" href="#main">
        {texts.nav.skip}
      </a>
      <StableHeader page={page} />
      {/* Stands before the page, so that a refused form can replace the title that this sets. */}
      <NavigationEffects page={page} />
      <main id="main" tabIndex={-1}>
        {/* The privacy policy has two page ids, but one key: it keeps its elements, and the focus, in the other language. */}
        <ErrorBoundary key={getContentName(page.id)} fallback={<ServerError />} onError={fail}>
          <PageView page={page.id} />
        </ErrorBoundary>
      </main>
      <StableFooter onCookies={openBanner} />
      <div className="dock">
        {banner}
        {/* A blocker of overlays may have removed a toast that React then tries to remove. */}
        <ErrorBoundary fallback={null}>
          <ToastOutlet />
        </ErrorBoundary>
      </div>
    </>
  )
}

/** Covers the page, except the hero's panel, until its animation ends. client/boot.ts ends it at the first input. */
function Splash({ brand, onEnd }: { brand: FrameContent['brand']; onEnd: () => void }) {
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
        <span>{brand.name}</span>
        <small>{brand.trade}</small>
      </div>
    </div>
  )
}
