import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import type { Content } from '../shared/content/index.ts'
import { DEFAULT_LANGUAGE } from '../shared/language.ts'
import type { PageState } from '../shared/page-state.ts'
import { getTwin, type PageId, type ViewName } from '../shared/pages.ts'
import { ErrorBoundary, useScriptErrors } from './crash.tsx'
import { FormProvider } from './form/form-provider.tsx'
import { useCookieBanner } from './frame/cookie-banner.tsx'
import { Footer } from './frame/footer.tsx'
import { Header } from './frame/header.tsx'
import { ToastRegion } from './frame/lazy-overlays.tsx'
import { NavigationEffects } from './frame/navigation-effects.tsx'
import { useShownPage } from './frame/shown-page.ts'
import { SiteProvider, useSite } from './frame/site-provider.tsx'
import { Status } from './frame/status.tsx'
import { Contact } from './pages/contact.tsx'
import { ErrorTest } from './pages/error-test.tsx'
import { NotFound, ServerError } from './pages/errors.tsx'
import { Home } from './pages/home.tsx'
import { Privacy } from './pages/privacy.tsx'
import { SectorPage } from './pages/sector.tsx'
import { Sectors } from './pages/sectors.tsx'
import { Services } from './pages/services.tsx'
import { createQueryClient } from './query-client.ts'
import { Splash } from './splash/splash.tsx'

const views: Record<ViewName, ComponentType<{ page: PageId }>> = {
  home: Home,
  sectors: Sectors,
  services: Services,
  contact: Contact,
  sector: SectorPage,
  privacy: Privacy,
  'error-test': ErrorTest,
  'not-found': NotFound,
  'server-error': ServerError,
}

export function App({ state, texts }: { state: PageState; texts: Content }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <SiteProvider documentState={state} texts={texts}>
        <FormProvider>
          <ErrorBoundary fallback={<ServerError />}>
            <Frame />
          </ErrorBoundary>
        </FormProvider>
      </SiteProvider>
    </QueryClientProvider>
  )
}

function Frame() {
  const { texts } = useSite()
  const { page, fail } = useShownPage()
  useScriptErrors(fail)
  const View = views[page.view]
  const [hasSplash, setSplash] = useState(true)
  const { banner, skipLink, openBanner } = useCookieBanner(hasSplash)
  return (
    <>
      {hasSplash && <Splash brand={texts.brand} onEnd={() => setSplash(false)} />}
      <a className="skip-link" href="#main">
        {texts.nav.skip}
      </a>
      {skipLink}
      <Header page={page} />
      {/* Stands before the page, so that a refused form can replace the title that this sets. */}
      <NavigationEffects page={page} />
      <main id="main" tabIndex={-1}>
        {/* The privacy policy has a page for each language, but one key: it keeps its elements, and the focus. */}
        <ErrorBoundary
          key={getTwin(page, DEFAULT_LANGUAGE)}
          fallback={<ServerError />}
          onError={fail}
        >
          <View page={page.id} />
        </ErrorBoundary>
      </main>
      <Footer onCookies={openBanner} />
      <div className="dock">
        {banner}
        <Status />
        <ToastRegion />
      </div>
    </>
  )
}
