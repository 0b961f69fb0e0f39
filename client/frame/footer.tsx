import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import { company } from '../../shared/content/company.ts'
import { fill } from '../../shared/format.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { FirmFacts } from '../components/firm-facts.tsx'
import { Icon } from '../components/icon.tsx'
import { LanguageButton } from '../components/language-button.tsx'
import { Mark } from '../components/petals.tsx'
import { useSite } from './site-provider.tsx'

export function Footer({ onCookies }: { onCookies: (button: HTMLElement) => void }) {
  const { language, texts } = useSite()
  const { footer, brand, nav } = texts
  const { links } = company
  const registrations = [
    [footer.ontarioRegistration, ...company.registrations.ontario.filter(Boolean)],
    [footer.canadaRegistration, company.registrations.canada].filter(Boolean),
  ].filter(({ length }) => length > 1)
  const names = (['site', 'x', 'instagram', 'discord'] as const).filter((name) => links[name])
  return (
    <footer className="footer dark">
      <div className="split">
        <div className="stack">
          <Mark />
          <h2>{brand.tagline}</h2>
          <Link className="button" to="/contact">
            {footer.contact}
          </Link>
          <p>{footer.formats}</p>
        </div>
        <div className="footer-columns">
          <dl className="footer-facts">
            <FirmFacts labels={footer} />
          </dl>
          {registrations.length > 0 && (
            <div>
              <h3>{footer.registrationsTitle}</h3>
              <dl>
                {registrations.map(([jurisdiction, ...numbers]) => (
                  <Fragment key={jurisdiction}>
                    <dt>{jurisdiction}</dt>
                    {numbers.map((number) => (
                      <dd key={number}>{number}</dd>
                    ))}
                  </Fragment>
                ))}
              </dl>
            </div>
          )}
          {names.length > 0 && (
            <div className="footer-links">
              <h3>{footer.linksTitle}</h3>
              <ul>
                {names.map((name) => (
                  <li key={name}>
                    <a href={links[name]} rel="noopener">
                      <span>{footer[name]}</span>
                      <span className="visually-hidden">{` ${footer.external}`}</span>
                      <Icon name="external" />
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      </div>
      <div className="footer-end">
        <p>{fill(footer.rights, { name: brand.name })}</p>
        <Link to={getPath('sectors')}>{nav.sectors}</Link>
        <Link to={getPath('services')}>{nav.services}</Link>
        <LanguageButton className="link-button">{nav.toggle.name}</LanguageButton>
        <Link to="/contact#accessibility">{footer.accessibility}</Link>
        <Link to={getPath(getPrivacyPage(language))}>{footer.privacy}</Link>
        <button
          className="link-button needs-script"
          type="button"
          onClick={({ currentTarget }) => onCookies(currentTarget)}
        >
          {footer.cookies}
        </button>
      </div>
    </footer>
  )
}
