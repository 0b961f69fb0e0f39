import { company } from '../../shared/content/company.ts'
import { formatCity, formatPhone } from '../../shared/format.ts'
import { useSite } from '../frame/site-provider.tsx'

export function FirmFacts({ labels }: { labels: Record<'address' | 'phone' | 'email', string> }) {
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
