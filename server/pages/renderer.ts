import type { ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'
import type { PageState } from '../../shared/page-state.ts'
import type { Frame } from './html-shell.ts'

export interface Renderer {
  /** A hash that changes with any part of the documents; undefined in development. */
  build?: string
  /** CSP sources (`'sha256-…'`) of the style elements in the documents. */
  styleHashes?: string[]
  /** Rejects if the page throws before its shell is rendered. Later errors go to `onError`. */
  render(state: PageState, onError: (error: unknown) => void): Promise<Readable>
}

/** renderToPipeableStream of react-dom/server, already bound to the element of a page. */
type Start = (options: {
  onShellReady: () => void
  onShellError: (error: unknown) => void
  onError: (error: unknown) => void
}) => { pipe: (destination: NodeJS.WritableStream) => unknown; abort: () => void }

/** Streams a document: its head, the page that React renders, its tail. */
export function streamDocument(
  start: Start,
  { head, tail }: Frame,
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
        html.once('close', () => body.destroy())
        // React writes small pieces: join the pieces of this turn of the event loop.
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

/** Resolves when the document is sent, or when the visitor disconnects, which stops the rendering. */
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
