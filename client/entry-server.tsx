import { type RenderToPipeableStreamOptions, renderToPipeableStream } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { getPage } from '../shared/pages.ts'
import { App } from './app.tsx'
import { loadFrame, loadPage } from './page-loader.ts'

/** Loads code and texts first: React completes a suspended page with inline scripts, which the CSP forbids. */
export async function prepare(state: PageState) {
  const { page, language } = state
  const [texts] = await Promise.all([loadFrame(language), loadPage(page, language)])
  return (options: RenderToPipeableStreamOptions) =>
    renderToPipeableStream(
      <StaticRouter location={getPage(page).path ?? '/'}>
        <App state={state} texts={texts} />
      </StaticRouter>,
      options,
    )
}
