import { join } from 'node:path'
import { createBundleRenderer } from '../../server/pages/bundle-renderer.ts'
import type { Renderer } from '../../server/pages/renderer.ts'
import type { PageId } from '../../shared/pages.ts'

const DIST = join(import.meta.dirname, '../../dist')

/** The real renderer, except that these pages throw. */
export async function createFailingRenderer(...failing: PageId[]): Promise<Renderer> {
  const real = await createBundleRenderer(DIST)
  return {
    ...real,
    async render(state) {
      if (failing.includes(state.page)) throw new Error(`${state.page} is broken`)
      return real.render(state)
    },
  }
}
