import type { MouseEvent } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { getPage } from '../../shared/pages.ts'
import { Hero } from '../components/hero.tsx'
import { Petals } from '../components/petals.tsx'
import { hasVisitorText } from '../form/visitor-text.ts'
import { useSite, type ViewProps } from '../frame/site-context.ts'

const SAME_ADDRESS = ''

/** One petal is missing: it has fallen to the lower edge of the words. */
const BROKEN = <Petals cells={['dldgd', 'oDoDo', 'dldld', 'oDoDo']} align="xMax" />

export function NotFound({ page, texts }: ViewProps<'not-found'>) {
  return (
    <Hero texts={texts} eyebrow={String(getPage(page).status)} panel={BROKEN} error>
      <Link className="button" to="/">
        {texts.home}
      </Link>
      <Link className="button secondary" to="/contact">
        {texts.contact}
      </Link>
      <Link className="fallen" to="/" aria-label={texts.home}>
        <svg viewBox="-17 15 134 70" aria-hidden="true">
          <use href="#petal-rises" transform="rotate(65 50 50)" />
        </svg>
      </Link>
    </Hero>
  )
}

/**
 * Each link loads a new document, because client routing may be broken; not if that would lose text of the visitor.
 * `page` is missing in the fallback of a boundary. If the fallback stays, the frame has failed: only a new document helps.
 */
export function ServerError({ page }: Partial<ViewProps<'server-error'>>) {
  const texts = useSite().texts['server-error']
  const navigate = useNavigate()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!page || !hasVisitorText()) return
    event.preventDefault()
    navigate(event.currentTarget.href.slice(window.location.origin.length))
  }
  return (
    <Hero texts={texts} eyebrow="500" error>
      <a className="button" href={SAME_ADDRESS} onClick={follow}>
        {texts.reload}
      </a>
      <a className="button secondary" href="/" onClick={follow}>
        {texts.home}
      </a>
      <a className="button secondary" href="/contact" onClick={follow}>
        {texts.contact}
      </a>
    </Hero>
  )
}
