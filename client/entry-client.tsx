import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { App } from './app.tsx'
import { sendErrorReport } from './error-report.ts'
import { prepareCarryOver } from './form/carry-over.ts'
import { loadFrame, loadPage } from './page-loader.ts'
import { reloadOnce } from './stale-chunk.ts'

/** Makes the rendered page alive. */
async function start(root: HTMLElement, state: PageState): Promise<void> {
  const { page, language } = state
  const [texts] = await reloadOnce(Promise.all([loadFrame(language), loadPage(page, language)]))
  const carryOver = prepareCarryOver()
  // In a transition React lets the browser answer in between.
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

const root = document.getElementById('root')
// Not awaited here: the chunks that it loads import this one.
if (root) start(root, JSON.parse(document.getElementById('state')?.textContent ?? ''))
