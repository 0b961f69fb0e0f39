import { type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { company } from '../../shared/content/company.ts'
import { fill, formatPhone } from '../../shared/format.ts'
import { getPath, getTwin, type Page, type PageId } from '../../shared/pages.ts'
import { SECTORS } from '../../shared/sectors.ts'
import { Icon } from '../components/icon.tsx'
import { LanguageButton } from '../components/language-button.tsx'
import { Mark, Sign } from '../components/petals.tsx'
import { Tooltip } from './lazy-overlays.tsx'
import { useSite } from './site-provider.tsx'

const links = ['home', 'sectors', 'services', 'contact'] as const satisfies PageId[]

/** Returns the link's aria-current. A sector's page belongs to the page of all sectors. */
function findCurrent(id: PageId, page: Page) {
  if (page.id === id) return 'page'
  return id === 'sectors' && page.view === 'sector' ? 'true' : undefined
}

export function Header({ page }: { page: Page }) {
  const { language, texts } = useSite()
  const { nav, brand, contact, divisions } = texts
  const { key } = useLocation()
  const header = useRef<HTMLElement>(null)
  const menu = useRef<HTMLDetailsElement>(null)
  useLightDismiss(menu, header)
  return (
    <header className="header" ref={header}>
      <Link className="logo" to="/" aria-label={nav.homeLink}>
        <Mark />
        <span>{brand.name}</span>
      </Link>
      {/* A new key closes the menu when the visitor follows a link in it. */}
      <details key={key} className="menu" ref={menu}>
        <summary>
          <Icon name="menu" />
          <Icon name="close" />
          <span>{nav.menu}</span>
        </summary>
      </details>
      <nav className="nav" aria-label={nav.label}>
        <ul>
          {links.map((id) => (
            <li key={id}>
              <Link to={getPath(id)} aria-current={findCurrent(id, page)}>
                {nav[id]}
              </Link>
              {/* The menu of a narrow screen also leads to each sector. */}
              {id === 'sectors' && (
                <ul className="nav-sectors">
                  {SECTORS.map((sector) => (
                    <li key={sector}>
                      <Link to={getPath(sector)} aria-current={findCurrent(sector, page)}>
                        <Sign sector={sector} />
                        <span>{divisions.items[sector].title}</span>
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
          {/* The menu of a narrow screen also has the telephone number. */}
          <li className="nav-phone">
            <a href={`tel:${company.phone}`}>
              {fill(contact.call, { phone: formatPhone(company.phone, language) })}
            </a>
          </li>
        </ul>
      </nav>
      <LanguageToggle page={page} />
    </header>
  )
}

/** The open menu of a narrow screen lies over the page, so it closes when the visitor goes on in the page, or presses
 * Escape. */
function useLightDismiss(
  menu: RefObject<HTMLDetailsElement | null>,
  header: RefObject<HTMLElement | null>,
) {
  useEffect(() => {
    const events = ['click', 'focusin', 'keydown']
    const close = (event: Event) => {
      const { current } = menu
      if (!current?.open) return
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      // A click on the dimmed page has the menu itself as its target.
      const isInside =
        event.target !== current && header.current?.contains(event.target as Node | null)
      if (isEscape) current.querySelector('summary')?.focus()
      else if (isInside || event.type === 'keydown') return
      current.open = false
    }
    for (const event of events) document.addEventListener(event, close)
    return () => {
      for (const event of events) document.removeEventListener(event, close)
    }
  }, [menu, header])
}

function LanguageToggle({ page }: { page: Page }) {
  const { texts, documentState, nextLanguage } = useSite()
  const { sent, isShownAgain } = documentState.contact ?? {}
  const { code, name } = texts.nav.toggle
  const twin = getTwin(page, nextLanguage)

  const button = (
    <Tooltip text={name}>
      <LanguageButton className="toggle">
        <span>{code}</span>
        <span className="visually-hidden">{`, ${name}`}</span>
      </LanguageButton>
    </Tooltip>
  )
  // The button belongs to the contact form. The Enter key presses a form's first button, which must not be this one.
  if (isShownAgain) {
    const first = { form: 'contact-form', tabIndex: -1, 'aria-hidden': true }
    return (
      <div className="language-toggle">
        <button className="visually-hidden" type="submit" {...first} />
        {button}
      </div>
    )
  }
  return (
    <form
      className="language-toggle"
      id="language"
      action={twin === page.id ? undefined : getPath(twin)}
    >
      {typeof sent === 'string' && <input type="hidden" name="sent" value={sent} />}
      {documentState.service && (
        <input type="hidden" name="service" value={documentState.service} />
      )}
      {button}
    </form>
  )
}
