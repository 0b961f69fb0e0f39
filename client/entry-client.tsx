import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { App } from './app.tsx'
import { sendErrorReport } from './error-report.ts'
import { prepareCarryOver } from './form/carry-over.ts'
import { loadFrame, loadPage } from './page-loader.ts'
import { reloadOnce } from './stale-chunk.ts'

async function start(root: HTMLElement, state: PageState): Promise<void> {
  const { page, language } = state
  const [texts] = await reloadOnce(Promise.all([loadFrame(language), loadPage(page, language)]))
  const carryOver = prepareCarryOver()
  // In a transition, React yields to the browser while it hydrates.
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
// No top-level await: the chunks that it loads import this module.
if (root) start(root, JSON.parse(document.getElementById('state')?.textContent ?? ''))
