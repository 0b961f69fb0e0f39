import { Link } from 'react-router-dom'
import { getPage } from '../../shared/pages.ts'
import { Hero } from '../components/hero.tsx'
import { useSite } from '../site.tsx'
import type { ViewProps } from '../views.ts'

export function NotFound({ page }: ViewProps) {
  const { notFound } = useSite().texts.errors
  return (
    <Hero
      headline={notFound.headline}
      intro={notFound.text}
      eyebrow={String(getPage(page).status)}
      error
    >
      <Link className="button" to="/">
        {notFound.home}
      </Link>
      <Link className="button secondary" to="/contact">
        {notFound.contact}
      </Link>
    </Hero>
  )
}
