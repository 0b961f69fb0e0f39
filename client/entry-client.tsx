import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { App } from './app.tsx'
import { attempt } from './attempt.ts'
import { reportRejections, sendErrorReport } from './crash.tsx'
import { loadFrame, loadPage, reloadOrThrow } from './page-loader.ts'

async function start(root: HTMLElement): Promise<void> {
  const state: PageState = JSON.parse(document.getElementById('state')?.textContent ?? '')
  const { page, language } = state
  const loading = Promise.all([loadFrame(language), loadPage(page, language)])
  const [texts] = await loading.catch((error) => {
    if (attempt(isReloaded) ?? true) throw error
    return reloadOrThrow(error)
  })
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

function isReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return (navigation as PerformanceNavigationTiming).type === 'reload'
}

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

reportRejections()
const root = document.getElementById('root')
// `await` here would be a deadlock: start() loads chunks that wait for this module, because they import it.
// After a failure, the page stays as the server sent it; its links and forms work without script.
if (root) start(root).catch(sendErrorReport)
