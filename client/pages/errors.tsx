import { Link } from 'react-router-dom'
import { getPage, type PageId } from '../../shared/pages.ts'
import { Hero } from '../components/hero.tsx'
import { useSite } from '../frame/site-provider.tsx'

const SAME_URL = ''

export const CELLS = ['dldld', 'oDoDo']
/** One petal is missing: it has fallen to the lower edge of the words. */
const BROKEN = ['dldgd', 'oDoDo', ...CELLS]

export function NotFound({ page }: { page: PageId }) {
  const { notFound: texts } = useSite().texts.errors
  return (
    <Hero texts={texts} eyebrow={String(getPage(page).status)} cells={BROKEN} error>
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
 * `page` is missing in the fallback of a boundary. If the fallback stays, the frame has failed: only a new document helps.
 * Otherwise, the text of the form outlives the links.
 */
export function ServerError({ page }: { page?: PageId }) {
  const { serverError: texts } = useSite().texts.errors
  return (
    <Hero texts={texts} eyebrow="500" cells={CELLS} error>
      <a className="button" href={SAME_URL}>
        {texts.reload}
      </a>
      <Link className="button secondary" to="/" reloadDocument={!page}>
        {texts.home}
      </Link>
      <Link className="button secondary" to="/contact" reloadDocument={!page}>
        {texts.contact}
      </Link>
    </Hero>
  )
}
