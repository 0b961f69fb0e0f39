import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { App } from './app.tsx'
import { sendErrorReport } from './crash.tsx'
import { loadFrame, loadPage, reloadOnce } from './page-loader.ts'

async function start(root: HTMLElement, state: PageState): Promise<void> {
  const { page, language } = state
  const [texts] = await reloadOnce(Promise.all([loadFrame(language), loadPage(page, language)]))
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

const getSplash = () => document.getElementById('splash')

/** React renders the page again if an extension changed it. The result restores the focus and the splash. */
function prepareCarryOver(): () => void {
  const { activeElement } = document
  const startTime = getSplash()?.getAnimations()[0]?.startTime
  return () => {
    document.getElementById(activeElement?.id ?? '')?.focus({ preventScroll: true })
    const leaving = getSplash()?.getAnimations()[0]
    if (leaving && startTime) leaving.startTime = startTime
  }
}

const root = document.getElementById('root')
// `await` here would be a deadlock: start() loads chunks that wait for this module, because they import it.
if (root) start(root, JSON.parse(document.getElementById('state')?.textContent ?? ''))
