import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Content } from '../shared/content/content.ts'
import type { PageState } from '../shared/page-state.ts'
import { findPage, getPage, type Page } from '../shared/pages.ts'
import { CookieBanner } from './components/cookie-banner.tsx'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { Footer } from './components/footer.tsx'
import { Header } from './components/header.tsx'
import { PageView } from './components/page-view.tsx'
import { RouteChanges } from './components/route-changes.tsx'
import { Splash } from './components/splash.tsx'
import { ToastOutlet } from './components/toast-outlet.tsx'
import { isOwnError, reportError } from './error-report.ts'
import { ServerError } from './pages/server-error.tsx'
import { SiteProvider, useSite } from './site.tsx'

export function App({ state, texts }: { state: PageState; texts: Content }) {
  return (
    <SiteProvider state={state} texts={texts}>
      <ErrorBoundary fallback={<ServerError />}>
        <Frame />
      </ErrorBoundary>
    </SiteProvider>
  )
}

/** What the server answered, until the visitor goes elsewhere; then the page that the address names. */
function useCurrentPage(): { page: Page; answer?: PageState } {
  const { state } = useSite()
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  const [moved, setMoved] = useState(false)
  if (!moved && pathname !== first) setMoved(true)
  if (pathname === first && !moved) return { page: getPage(state.page), answer: state }
  return { page: findPage(pathname) ?? getPage('not-found') }
}

function Frame() {
  const { texts } = useSite()
  const { page, answer } = useCurrentPage()
  const crashed = useCrash()
  const [splash, setSplash] = useState(true)
  const [bannerAsked, askForBanner] = useState(0)
  return (
    <>
      <a className="skip-link" href="#main">
        {texts.nav.skip}
      </a>
      <Header page={page} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={page.id} fallback={<ServerError />}>
          {crashed ? <ServerError /> : <PageView page={page.id} answer={answer} />}
        </ErrorBoundary>
      </main>
      <Footer onCookies={() => askForBanner((asked) => asked + 1)} />
      <RouteChanges page={page} />
      {!splash && <CookieBanner asked={bannerAsked} />}
      <ToastOutlet />
      {splash && <Splash onEnd={() => setSplash(false)} />}
    </>
  )
}

function useCrash(): boolean {
  const [crashed, setCrashed] = useState(false)
  useEffect(() => {
    const listen = (event: ErrorEvent) => {
      if (!isOwnError(event)) return
      reportError(event.error ?? event.message)
      setCrashed(true)
    }
    window.addEventListener('error', listen)
    return () => window.removeEventListener('error', listen)
  }, [])
  return crashed
}
