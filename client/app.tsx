import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { getPage } from '../shared/pages.ts'
import { isOwnError, sendErrorReport } from './error-report.ts'
import { CookieBanner } from './frame/cookie-banner.tsx'
import { ErrorBoundary } from './frame/error-boundary.tsx'
import { Footer } from './frame/footer.tsx'
import { Header } from './frame/header.tsx'
import { PageView } from './frame/page-view.tsx'
import { RouteChanges } from './frame/route-announcer.tsx'
import { SiteProvider, useSite } from './frame/site-context.tsx'
import { Splash } from './frame/splash.tsx'
import { ToastOutlet } from './frame/toast-outlet.tsx'
import { type FrameTexts, forgetVisit } from './page-loader.ts'
import { ServerError } from './pages/server-error.tsx'
import { readConsent, writeConsent } from './storage.ts'

export function App({ state, texts }: { state: PageState; texts: FrameTexts }) {
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

function Frame() {
  const { texts, answer, language, ...current } = useSite()
  const [crashed, crash] = useCrash()
  const page = crashed ? getPage('server-error') : current.page
  const [splash, setSplash] = useState(true)
  const [banner, setBanner] = useState(false)
  const fail = () => {
    forgetVisit(current.page.id, language)
    crash()
  }
  const endSplash = useCallback(() => {
    const consent = readConsent()
    if (consent) writeConsent(consent)
    setSplash(false)
    setBanner(!consent)
  }, [])
  useEffect(() => {
    const follow = () => setBanner((shown) => shown && !readConsent())
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])
  return (
    <>
      <a className="skip-link" href="#main">
        {texts.nav.skip}
      </a>
      <Header page={page} />
      <RouteChanges page={page} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={page.id} fallback={<Failure />} onError={fail}>
          <PageView page={page.id} answer={crashed ? undefined : answer} />
        </ErrorBoundary>
      </main>
      <Footer onCookies={() => setBanner(true)} />
      {banner && <CookieBanner onClose={() => setBanner(false)} />}
      <ToastOutlet />
      {splash && <Splash onEnd={endSplash} />}
    </>
  )
}

/** Whether a script has failed on the page that is shown, and a function that says so. */
function useCrash(): [boolean, () => void] {
  const { pathname } = useLocation()
  const [crashedAt, setCrashedAt] = useState<string>()
  if (crashedAt !== undefined && crashedAt !== pathname) setCrashedAt(undefined)
  const crash = useCallback(() => setCrashedAt(pathname), [pathname])
  useEffect(() => {
    const listen = (event: ErrorEvent) => {
      if (!isOwnError(event)) return
      sendErrorReport(event.error ?? event.message)
      crash()
    }
    window.addEventListener('error', listen)
    return () => window.removeEventListener('error', listen)
  }, [crash])
  return [crashedAt === pathname, crash]
}
