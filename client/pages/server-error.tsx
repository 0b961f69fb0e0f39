import { Hero } from '../components/hero.tsx'
import type { ViewProps } from '../page-loader.ts'

const SAME_ADDRESS = ''

/** Its links load documents: client routing may be what is broken. */
export function ServerError({ texts }: Pick<ViewProps<'server-error'>, 'texts'>) {
  return (
    <Hero headline={texts.headline} intro={texts.text} eyebrow="500" error>
      <a className="button" href={SAME_ADDRESS}>
        {texts.reload}
      </a>
      <a className="button secondary" href="/">
        {texts.home}
      </a>
      <a className="button secondary" href="/contact">
        {texts.contact}
      </a>
    </Hero>
  )
}
