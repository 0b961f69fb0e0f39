import { Menu, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { type Page, type PageId, pathOf } from '../../shared/pages.ts'
import { Mark } from '../components/petals.tsx'
import { LanguageToggle } from './language-toggle.tsx'
import { useSite } from './site-context.tsx'

const links = ['home', 'sectors', 'services', 'contact'] as const satisfies PageId[]

export function Header({ page }: { page: Page }) {
  const { texts } = useSite()
  const { nav, brand } = texts
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const Icon = open ? X : Menu
  return (
    <header className="header">
      <Link className="logo" to="/" aria-label={nav.homeLink} onClick={close}>
        <Mark />
        <span>{brand.name}</span>
      </Link>
      <details className="menu" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
          <span>{nav.menu}</span>
        </summary>
      </details>
      <nav className="nav" aria-label={nav.label}>
        <ul>
          {links.map((id) => (
            <li key={id}>
              <Link
                to={pathOf(id)}
                aria-current={page.id === id ? 'page' : undefined}
                onClick={close}
              >
                {nav[id]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <LanguageToggle page={page} />
    </header>
  )
}
