import { company } from '../../shared/content/company.ts'
import type { Contact } from '../../shared/content/content.ts'
import { formatCity, formatPhone } from '../../shared/format.ts'
import { useSite } from '../frame/site-context.tsx'

export function FirmAddress() {
  const { language } = useSite()
  return (
    <address>
      <span>{company.address[language].street}</span>
      <br />
      <span>{formatCity(company, language)}</span>
    </address>
  )
}

export function FirmPhone() {
  return <a href={`tel:${company.phone}`}>{formatPhone(company.phone, useSite().language)}</a>
}

export function FirmEmail() {
  return <a href={`mailto:${company.email}`}>{company.email}</a>
}

/** How and when the firm can be reached. */
export function FirmFacts({ facts }: { facts: Contact['facts'] }) {
  return (
    <dl className="facts">
      <dt>{facts.address}</dt>
      <dd>
        <FirmAddress />
      </dd>
      <dt>{facts.phone}</dt>
      <dd>
        <FirmPhone />
      </dd>
      <dt>{facts.email}</dt>
      <dd>
        <FirmEmail />
      </dd>
      <dt>{facts.hours}</dt>
      <dd>{facts.hoursValue}</dd>
      <dt>{facts.services}</dt>
      <dd>{facts.servicesValue}</dd>
      <dt>{facts.holidays}</dt>
      <dd>{facts.holidaysValue}</dd>
      <dt>{facts.formats}</dt>
      <dd>{useSite().texts.footer.formats}</dd>
    </dl>
  )
}
