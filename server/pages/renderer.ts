import type { PageState } from '../../shared/page-state.ts'

/** Of bundle-renderer.ts or, in development, vite-renderer.ts. */
export interface Renderer {
  /** A hash of all that the build puts into the documents; undefined in development. */
  build?: string
  /** CSP sources (`'sha256-…'`) of the style elements in the documents. */
  styleHashes?: string[]
  /** Resolves to the whole document; rejects if any part of the page throws. */
  render(state: PageState): Promise<string>
}
