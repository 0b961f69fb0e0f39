import { type Readable, Transform } from 'node:stream'
import type { PageState } from '../../shared/page-state.ts'
import type { Shell } from './html-shell.ts'

export interface Renderer {
  /** A hash that changes with any part of the documents; undefined in development. */
  build?: string
  /** CSP sources (`'sha256-…'`) of the style elements in the documents. */
  styleHashes?: string[]
  /** Resolves when the whole page is rendered; rejects if any part of it throws. */
  render(state: PageState): Promise<Readable>
}

/** renderToPipeableStream of react-dom/server, already bound to the element of a page. */
type Start = (options: { onAllReady: () => void; onError: (error: unknown) => void }) => {
  pipe: (destination: NodeJS.WritableStream) => unknown
}

/** Streams a document: its head, the page that React renders, its tail. */
export function streamDocument(start: Start, { head, tail }: Shell): Promise<Readable> {
  return new Promise((resolve, reject) => {
    let hasFailed = false
    const rendering = start({
      // The shell is not enough: no status and no ETag can be taken back when a later part fails.
      onAllReady() {
        if (hasFailed) return
        const html = new Transform({
          transform: (chunk, _encoding, done) => done(null, chunk),
          flush: (done) => done(null, tail),
        })
        html.write(head)
        rendering.pipe(html)
        resolve(html)
      },
      onError(error) {
        hasFailed = true
        reject(error)
      },
    })
  })
}
