import { PassThrough, Readable } from 'node:stream'
import type { PageState } from '../../shared/page-state.ts'

export interface Renderer {
  /** Changes with anything that the documents are made of. */
  build: string
  /**
   * Resolves with the document once its shell is rendered; rejects when the page throws before that.
   * Destroying the stream stops the rendering; later errors go to `onError`, and the document is ended.
   */
  render(state: PageState, address: string, onError: (error: unknown) => void): Promise<Readable>
}

/** What a React stream needs and gives, as in react-dom/server. */
type Start = (options: {
  onShellReady: () => void
  onShellError: (error: unknown) => void
  onError: (error: unknown) => void
}) => { pipe: (destination: NodeJS.WritableStream) => unknown; abort: () => void }

interface Frame {
  head: string
  tail: string
}

/** Streams what React renders between the two parts of a document. */
export function streamDocument(
  start: Start,
  { head, tail }: Frame,
  onError: (error: unknown) => void,
): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const body = new PassThrough()
    let open = false
    const report = (error: unknown) => {
      if (open) onError(error)
    }
    async function* assemble() {
      yield head
      try {
        for await (const chunk of body) yield chunk
      } catch (error) {
        report(error)
      } finally {
        open = false
      }
      yield tail
    }
    const rendering = start({
      onShellReady() {
        open = true
        body.once('close', () => rendering.abort())
        rendering.pipe(body)
        resolve(Readable.from(assemble(), { objectMode: false }))
      },
      onShellError: reject,
      onError: report,
    })
  })
}
