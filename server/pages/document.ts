import { PassThrough } from 'node:stream'
import type { PageState } from '../../shared/page-state.ts'
import type { RenderedPage, ServerEntry } from './renderer.ts'

/** The template is client/index.html, built or from Vite. */
const MARKERS = /<!--head-->|<!--app-->|<!--state-->/

/** Puts a page and its data into the template. */
export async function renderDocument(
  template: string,
  { render }: ServerEntry,
  state: PageState,
): Promise<RenderedPage> {
  const { headTags, data, pipe } = await render(state)
  const [start = '', beforePage = '', afterPage = '', end = ''] = template.split(MARKERS)
  const html = start.replace(/<html lang="[^"]*"/, `<html lang="${state.language}"`)
  return { head: html + headTags + beforePage, tail: afterPage + data + end, pipe }
}

/** Yields a document in chunks as they become ready. */
export async function* streamDocument({ head, tail, pipe }: RenderedPage): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  const page = new PassThrough()
  pipe(page)
  yield* page
  yield Buffer.from(tail)
}
