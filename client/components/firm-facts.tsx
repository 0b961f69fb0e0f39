import { company } from '../../shared/content/company.ts'
import { formatCity, formatPhone } from '../../shared/format.ts'
import { useSite } from '../frame/site-context.ts'

export function FirmAddress({ label }: { label: string }) {
  const { language } = useSite()
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <address>
          <span>{company.address[language].street}</span>
          <br />
          <span>{formatCity(company, language)}</span>
        </address>
      </dd>
    </>
  )
}

export function FirmLines({ labels }: { labels: Record<'phone' | 'email', string> }) {
  const { language } = useSite()
  return (
    <>
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
