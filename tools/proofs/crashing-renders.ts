import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { PageState } from '../../shared/page-state.ts'

// Given to the site with --import: some of its renders crash, with errors that quote the visitor.
const [HERE = ''] = import.meta.url.split('?')
const BUNDLE = /\/dist\/server\/entry-server\.js$/

const bundle = new URL(import.meta.url).searchParams.get('bundle')
const { prepare: render } = bundle ? await import(bundle) : {}
let renders = 0

/** In the place of the bundle's own: each third page of a form that was not accepted crashes. */
export async function prepare(state: PageState) {
  const { values } = state.contact ?? {}
  if (values && ++renders % 3 === 0) {
    const error = new TypeError(`Cannot render ${JSON.stringify(values)}`)
    throw Object.assign(error, { body: values, code: 'ERR_RENDER' })
  }
  return render(state)
}

if (!bundle) {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const asked = BUNDLE.test(found.url) && !context.parentURL?.startsWith(HERE)
      if (!asked) return found
      const url = `${HERE}?bundle=${encodeURIComponent(found.url)}`
      return { ...found, url, format: 'module-typescript' }
    },
  })
  process.on('SIGUSR2', () => {
    throw new Error(`Nobody caught what ${pathToFileURL('/zqxlast')} wrote`)
  })
}
