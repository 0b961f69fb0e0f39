import type { ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'
import type { PageState } from '../../shared/page-state.ts'

export interface Renderer {
  /** Changes with anything that the documents are made of; undefined while that may change at any time. */
  build?: string
  /** Of the style elements in the documents, as a policy names them: `'sha256-…'`. */
  styleHashes?: string[]
  /**
   * Resolves with the document once its shell is rendered; rejects when the page throws before that.
   * Destroying the stream stops the rendering; later errors go to `onError`, and the document is ended.
   */
  render(state: PageState, onError: (error: unknown) => void): Promise<Readable>
}

/** What a React stream needs and gives, as in react-dom/server. */
type Start = (options: {
  onShellReady: () => void
  onShellError: (error: unknown) => void
  onError: (error: unknown) => void
}) => { pipe: (destination: NodeJS.WritableStream) => unknown; abort: () => void }

/** Streams what React renders between the two parts of a document. */
export function streamDocument(
  start: Start,
  { head, tail }: { head: string | Buffer; tail: string },
  onError: (error: unknown) => void,
): Promise<Readable> {
  return new Promise((resolve, reject) => {
    let open = false
    let proceed: (() => void) | undefined
    const html = new Readable({
      read() {
        proceed?.()
        proceed = undefined
      },
    })
    const finish = () => {
      html.push(tail)
      html.push(null)
    }
    const body = new Writable({
      writev(chunks, done) {
        if (html.push(Buffer.concat(chunks.map(({ chunk }) => chunk)))) done()
        else proceed = done
      },
      final(done) {
        finish()
        done()
      },
    })
    const report = (error: unknown) => {
      if (open) onError(error)
    }
    const rendering = start({
      onShellReady() {
        open = true
        html.push(head)
        body.once('error', (error) => {
          report(error)
          finish()
        })
        body.once('close', () => {
          open = false
          rendering.abort()
        })
        // A reader who leaves.
        html.once('close', () => body.destroy())
        // React writes in small pieces: what it has by now goes on as one.
        body.cork()
        rendering.pipe(body)
        queueMicrotask(() => body.uncork())
        resolve(html)
      },
      onShellError: reject,
      onError: report,
    })
  })
}

/** Sends a document; resolves when it is sent, or when the visitor has left, which stops its making. */
export function sendDocument(html: Readable, res: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    if (res.closed) {
      html.destroy()
      resolve()
      return
    }
    html.once('error', (error) => {
      res.destroy()
      reject(error)
    })
    res.once('close', () => {
      html.destroy()
      resolve()
    })
    html.pipe(res)
  })
}
