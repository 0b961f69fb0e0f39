import { Link } from 'react-router-dom'
import { Hero } from '../components/hero.tsx'
import { useSite } from '../site.tsx'

export function NotFound() {
  const { notFound } = useSite().texts.errors
  return (
    <Hero headline={notFound.headline} intro={notFound.text} eyebrow="404" error>
      <Link className="button" to="/">
        {notFound.home}
      </Link>
      <Link className="button secondary" to="/contact">
        {notFound.contact}
      </Link>
    </Hero>
  )
}
