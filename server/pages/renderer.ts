import { PassThrough, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { PageState } from '../../shared/page-state.ts'
import type { Shell } from './html-shell.ts'

export interface Renderer {
  /** A hash of all that the build puts into the documents; undefined in development. */
  build?: string
  /** CSP sources (`'sha256-…'`) of the style elements in the documents. */
  styleHashes?: string[]
  /** Resolves to the whole document; rejects if any part of the page throws. */
  render(state: PageState): Promise<string>
}

/** Reads the stream of React to its end, and puts it between the head and the tail. */
export async function readDocument(
  pipe: (destination: Writable) => void,
  { head, tail }: Shell,
): Promise<string> {
  const page = new PassThrough()
  pipe(page)
  return head + (await text(page)) + tail
}
