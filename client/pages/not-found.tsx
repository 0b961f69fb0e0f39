import { Link } from 'react-router-dom'
import { getPage } from '../../shared/pages.ts'
import { Hero } from '../components/hero.tsx'
import type { ViewProps } from '../page-loader.ts'

export function NotFound({ page, texts }: ViewProps<'not-found'>) {
  return (
    <Hero headline={texts.headline} intro={texts.text} eyebrow={String(getPage(page).status)} error>
      <Link className="button" to="/">
        {texts.home}
      </Link>
      <Link className="button secondary" to="/contact">
        {texts.contact}
      </Link>
    </Hero>
  )
}
