import { Link } from 'react-router-dom'
import { getPage } from '../../shared/pages.ts'
import { Hero } from '../components/petals.tsx'
import { useSite, type ViewProps } from '../frame/site-context.ts'

const SAME_ADDRESS = ''

export function NotFound({ page, texts }: ViewProps<'not-found'>) {
  return (
    <Hero texts={texts} eyebrow={String(getPage(page).status)} error>
      <Link className="button" to="/">
        {texts.home}
      </Link>
      <Link className="button secondary" to="/contact">
        {texts.contact}
      </Link>
      {/* The petal that is missing in the panel. */}
      <svg className="mark" viewBox="-30 0 130 110" aria-hidden="true">
        <use href="#petal-rises" transform="rotate(65 50 50)" />
      </svg>
    </Hero>
  )
}

/** Each link loads a new document, because client routing may be broken. */
export function ServerError() {
  const texts = useSite().texts['server-error']
  return (
    <Hero texts={texts} eyebrow="500" error>
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
