import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import type { Content } from '../shared/content/index.ts'
import type { PageState } from '../shared/page-state.ts'
import { App } from './app.tsx'
import { attempt } from './attempt.ts'
import { reportRejections, sendErrorReport } from './error-reports.ts'

const findSplashAnimations = () =>
  attempt(() => document.getElementById('splash')?.getAnimations()) ?? []

/** React may replace a page that an extension changed. The returned function restores the splash and, by id, the focus. */
function prepareCarryOver(): () => void {
  const { activeElement } = document
  const [leaving] = findSplashAnimations()
  const startTime = leaving?.startTime
  return () => {
    document.getElementById(activeElement?.id ?? '')?.focus({ preventScroll: true })
    if (startTime) for (const animation of findSplashAnimations()) animation.startTime = startTime
  }
}

export function hydrate(state: PageState, texts: Content): void {
  const root = document.getElementById('root')
  if (!root) return
  reportRejections()
  // The styles then show what needs a script.
  document.documentElement.dataset.alive = ''
  const carryOver = prepareCarryOver()
  // A transition lets the browser handle input during the hydration.
  startTransition(() => {
    hydrateRoot(
      root,
      <BrowserRouter>
        <App state={state} texts={texts} />
      </BrowserRouter>,
      {
        onUncaughtError: sendErrorReport,
        onCaughtError: sendErrorReport,
        onRecoverableError(error) {
          carryOver()
          sendErrorReport(error)
        },
      },
    )
  })
}
