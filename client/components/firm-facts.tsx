import { company } from '../../shared/content/company.ts'
import { formatCity, formatPhone } from '../../shared/format.ts'
import { useSite } from '../frame/site-provider.tsx'

interface FirmFactsProps {
  labels: Record<'phone' | 'email', string> & {
    address?: string
    hours?: string
    hoursValue?: string
  }
}

/** The facts that have a label. */
export function FirmFacts({ labels }: FirmFactsProps) {
  const { language } = useSite()
  return (
    <>
      {labels.address && (
        <>
          <dt>{labels.address}</dt>
          <dd>
            <address>
              <span>{company.address[language].street}</span>
              <br />
              <span>{formatCity(company, language)}</span>
            </address>
          </dd>
        </>
      )}
      <dt>{labels.phone}</dt>
      <dd>
        <a href={`tel:${company.phone}`}>{formatPhone(company.phone, language)}</a>
      </dd>
      <dt>{labels.email}</dt>
      <dd>
        <a href={`mailto:${company.email}`}>{company.email}</a>
      </dd>
      {labels.hours && (
        <>
          <dt>{labels.hours}</dt>
          <dd>{labels.hoursValue}</dd>
        </>
      )}
    </>
  )
}
