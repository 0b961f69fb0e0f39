import { Hero } from '../components/hero.tsx'
import { useSite } from '../site.tsx'

const SAME_ADDRESS = ''

/** Its links load documents: client routing may be what is broken. */
export function ServerError() {
  const { serverError } = useSite().texts.errors
  return (
    <Hero headline={serverError.headline} intro={serverError.text} eyebrow="500" error>
      <a className="button" href={SAME_ADDRESS}>
        {serverError.reload}
      </a>
      <a className="button secondary" href="/">
        {serverError.home}
      </a>
      <a className="button secondary" href="/contact">
        {serverError.contact}
      </a>
    </Hero>
  )
}
