import { loadContent } from '../shared/content/load-content.ts'
import type { PageState } from '../shared/page-state.ts'
import { reportCaught } from './error-reports.ts'
import { filterPresses } from './presses.ts'
import { endSplashAtInput } from './splash/end-splash.ts'

/** Maximum wait for the first paint: a hidden tab does not paint. */
const PAINT_TIMEOUT_MS = 1000

/** Resolves after the first paint, which the scripts must not delay. */
function waitForPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PAINT_TIMEOUT_MS)
  })
}

async function start(): Promise<void> {
  await waitForPaint()
  const data = document.getElementById('state')?.textContent
  // In development, the document that shows an error has no state.
  if (!data) return
  const state: PageState = JSON.parse(data)
  const loadPage = () => import('./hydrate.tsx')
  // React DOM has a task of its own, so that an input does not wait for all. vite.config.ts preloads the page meanwhile.
  const [texts] = await Promise.all([loadContent(state.language), import('react-dom/client')])
  const { hydrate } = await loadPage()
  // A page that is only prerendered comes alive when the visitor opens it: before, it may store nothing.
  if ('prerendering' in document && document.prerendering)
    await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve))
  hydrate(state, texts)
}

filterPresses()
endSplashAtInput()
// After a failure, the page stays as the server sent it; its links and forms work without script.
start().catch(reportCaught)
