import type { Writable } from 'node:stream'
import type { PageState } from '../../shared/page-state.ts'

/** A page whose React tree is ready; its bytes follow. */
export interface RenderedPage {
  /** The document before React's HTML, and after it. */
  head: string
  tail: string
  /** Writes React's HTML. Rendering stops if the destination closes. */
  pipe(destination: Writable): void
}

/** Made by bundle-renderer.ts or, in development, by vite-renderer.ts. */
export interface Renderer {
  /** A hash of all that a build puts into the documents. In development it is undefined, and no page is cached. */
  build?: string
  /** CSP sources (`'sha256-…'`) of the styles that are inlined in the documents. */
  styleHashes: string[]
  /** CSP nonce of the scripts and styles that Vite adds in development. */
  nonce?: string
  /** Rejects if the page throws. */
  render(state: PageState): Promise<RenderedPage>
  /** A document that shows a developer why a page failed; undefined in production. */
  explainFailure?(error: unknown): string
}

/** The exports of client/entry-server.tsx. */
export interface ServerEntry {
  render(state: PageState): Promise<{ headTags: string; data: string; pipe: RenderedPage['pipe'] }>
}
