import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import type { Content } from '../shared/content/index.ts'
import type { PageState } from '../shared/page-state.ts'
import { App } from './app.tsx'
import { reportCaught, reportRejections } from './error-reports.ts'
import { endSplash } from './splash/end-splash.ts'

export function hydrate(state: PageState, texts: Content): void {
  const root = document.getElementById('root')
  if (!root) return
  reportRejections()
  // The styles then show what needs a script.
  document.documentElement.dataset.alive = ''
  const { activeElement } = document
  // A transition lets the browser handle input during the hydration.
  startTransition(() => {
    hydrateRoot(
      root,
      <BrowserRouter>
        <App state={state} texts={texts} />
      </BrowserRouter>,
      {
        onUncaughtError: reportCaught,
        onCaughtError: reportCaught,
        onRecoverableError(error) {
          // React has replaced a page that an extension changed: the focus is gone, and the splash begins again.
          document.getElementById(activeElement?.id ?? '')?.focus({ preventScroll: true })
          endSplash()
          reportCaught(error)
        },
      },
    )
  })
}
