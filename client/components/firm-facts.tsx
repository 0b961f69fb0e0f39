import { Fragment } from 'react'
import { company } from '../../shared/content/company.ts'
import type { Contact } from '../../shared/content/index.ts'
import { formatCity, formatPhone } from '../../shared/format.ts'
import { useSite } from '../frame/site-provider.tsx'

/** The firm's facts that have a label. */
export function FirmFacts({ labels }: { labels: Partial<Contact['facts']> }) {
  const { language } = useSite()
  const facts = {
    address: (
      <address>
        <span>{company.address[language].street}</span>
        <br />
        <span>{formatCity(company, language)}</span>
      </address>
    ),
    phone: <a href={`tel:${company.phone}`}>{formatPhone(company.phone, language)}</a>,
    email: <a href={`mailto:${company.email}`}>{company.email}</a>,
    hours: labels.hoursValue,
  }
  const names = (['address', 'phone', 'email', 'hours'] as const).filter((name) => labels[name])
  return names.map((name) => (
    <Fragment key={name}>
      <dt>{labels[name]}</dt>
      <dd>{facts[name]}</dd>
    </Fragment>
  ))
}
