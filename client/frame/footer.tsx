import { Link } from 'react-router-dom'
import { company } from '../../shared/content/company.ts'
import { fill } from '../../shared/format.ts'
import { getPath, getPrivacyPage } from '../../shared/pages.ts'
import { FirmAddress, FirmLines } from '../components/firm-facts.tsx'
import { Icon } from '../components/icon.tsx'
import { LanguageButton } from '../components/language-button.tsx'
import { Mark } from '../components/petals.tsx'
import { useSite } from './site-context.ts'

export function Footer({ onCookies }: { onCookies: (button: HTMLElement) => void }) {
  const { language, texts } = useSite()
  const { footer, brand } = texts
  const { registrations, links } = company
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
            <FirmAddress label={footer.address} />
            <FirmLines labels={footer} />
          </dl>
          <div>
            <h3>{footer.registrationsTitle}</h3>
            <dl>
              <dt>{footer.ontarioRegistration}</dt>
              {registrations.ontario.map((number) => (
                <dd key={number}>{number}</dd>
              ))}
              <dt>{footer.canadaRegistration}</dt>
              <dd>{registrations.canada}</dd>
            </dl>
          </div>
          <div className="footer-links">
            <h3>{footer.linksTitle}</h3>
            <ul>
              {(['site', 'x', 'instagram', 'discord'] as const).map((name) => (
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
        </div>
      </div>
      <div className="footer-end">
        <p>{fill(footer.rights, { name: brand.name })}</p>
        <LanguageButton className="link-button">{texts.nav.toggle.name}</LanguageButton>
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
