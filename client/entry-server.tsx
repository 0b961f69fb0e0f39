import { renderToPipeableStream } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import { CONTENT } from '../shared/content/index.ts'
import type { PageState } from '../shared/page-state.ts'
import { getPage } from '../shared/pages.ts'
import { App } from './app.tsx'
import { writeData, writeHead } from './document-head.ts'

type Rendered = Pick<ReturnType<typeof renderToPipeableStream>, 'pipe'> & {
  /** The tags of the page for `<head>`. */
  headTags: string
  /** The script element with the data for the hydration. */
  data: string
}

/** Starts to render a page. Resolves once nothing can change its status any more; rejects if the page throws. */
export async function render(state: PageState): Promise<Rendered> {
  return new Promise((resolve, reject) => {
    const headTags = writeHead(state)
    const data = writeData(state, 'type="application/json" id="state"')
    const { pipe } = renderToPipeableStream(
      <StaticRouter location={getPage(state.page).path ?? '/'}>
        <App state={state} texts={CONTENT[state.language]} />
      </StaticRouter>,
      {
        onShellReady: () => resolve({ headTags, data, pipe }),
        onShellError: reject,
        // onShellError passes the error on; there is no Suspense boundary in which a later one could occur.
        onError() {},
      },
    )
  })
}
