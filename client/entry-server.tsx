import { renderToPipeableStream } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { getPage } from '../shared/pages.ts'
import { App } from './app.tsx'
import { loadFrame, loadPage } from './page-loader.ts'

/** Renders a page. Resolves to the `pipe` of React's stream once the whole page is ready; rejects if a part fails. */
export async function render(state: PageState) {
  const { page, language } = state
  // Load code and texts first, so that App finds them and nothing suspends: to complete suspended parts, React may use
  // inline scripts, which the CSP forbids.
  const [texts] = await Promise.all([loadFrame(language), loadPage(page, language)])
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <StaticRouter location={getPage(page).path ?? '/'}>
        <App state={state} texts={texts} />
      </StaticRouter>,
      // Not onShellReady: the status and the ETag cannot be taken back when a later part fails.
      { onAllReady: () => resolve(pipe), onError: reject },
    )
  })
}
