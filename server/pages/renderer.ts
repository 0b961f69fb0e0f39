import { PassThrough, type Writable } from 'node:stream'
import type { PageState } from '../../shared/page-state.ts'
import type { Shell } from './html-shell.ts'

export interface Renderer {
  /** A hash of all that the build puts into the documents; undefined in development. */
  build?: string
  /** CSP sources (`'sha256-…'`) of the style elements in the documents. */
  styleHashes?: string[]
  /** Resolves when the whole page is rendered; rejects if any part of it throws. */
  render(state: PageState): Promise<AsyncIterable<Buffer>>
}

/** Streams a document: its head, the page that React pipes, its tail. */
export async function* streamDocument(
  pipe: (destination: Writable) => void,
  { head, tail }: Shell,
): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  const page = new PassThrough()
  pipe(page)
  yield* page
  yield Buffer.from(tail)
}
