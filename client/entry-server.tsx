import { type RenderToPipeableStreamOptions, renderToPipeableStream } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { getPage } from '../shared/pages.ts'
import { App } from './app.tsx'
import { loadTexts } from './texts.ts'
import { loadView } from './views.ts'

/** Loads what a page needs, so that the whole of it is in the first chunk, without inline scripts. */
export async function prepare(state: PageState) {
  const [texts] = await Promise.all([loadTexts(state.language), loadView(state.page)])
  return (options: RenderToPipeableStreamOptions) =>
    renderToPipeableStream(
      <StaticRouter location={getPage(state.page).path ?? '/'}>
        <App state={state} texts={texts} />
      </StaticRouter>,
      options,
    )
}
