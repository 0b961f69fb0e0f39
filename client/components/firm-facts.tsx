import { company } from '../../shared/content/company.ts'
import type { Contact } from '../../shared/content/index.ts'
import { formatCity, formatPhone } from '../../shared/format.ts'
import { useSite } from '../frame/site-context.ts'

export function FirmAddress({ labels }: { labels: Record<'address' | 'phone' | 'email', string> }) {
  const { language } = useSite()
  return (
    <>
      <dt>{labels.address}</dt>
      <dd>
        <address>
          <span>{company.address[language].street}</span>
          <br />
          <span>{formatCity(company, language)}</span>
        </address>
      </dd>
      <dt>{labels.phone}</dt>
      <dd>
        <a href={`tel:${company.phone}`}>{formatPhone(company.phone, language)}</a>
      </dd>
      <dt>{labels.email}</dt>
      <dd>
        <a href={`mailto:${company.email}`}>{company.email}</a>
      </dd>
    </>
  )
}

export function FirmFacts({ facts }: { facts: Contact['facts'] }) {
  return (
    <dl className="facts">
      <FirmAddress labels={facts} />
      <dt>{facts.hours}</dt>
      <dd>{facts.hoursValue}</dd>
      <dt>{facts.services}</dt>
      <dd>{facts.servicesValue}</dd>
      <dt>{facts.holidays}</dt>
      <dd>{facts.holidaysValue}</dd>
    </dl>
  )
}
