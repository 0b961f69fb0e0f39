import { REFUSAL_LIMIT, REPEAT_HOURS } from './constants.ts'
import type { Company } from './content/company.ts'
import type { Content } from './content/index.ts'
import { fillPlural, getCompanyValues } from './format.ts'
import type { Language } from './language.ts'
import type { RetentionPeriods } from './page-state.ts'

function describeDays(
  count: number,
  { years, days }: Content['privacy']['periods'],
  language: Language,
): string {
  return count % 365 === 0
    ? fillPlural(years, count / 365, language)
    : fillPlural(days, count, language)
}

/** Values for the placeholders in the privacy policy. */
export function getPrivacyValues(
  company: Company,
  { retentionDays, quarantineDays }: RetentionPeriods,
  { periods }: Pick<Content['privacy'], 'periods'>,
  language: Language,
) {
  return {
    ...getCompanyValues(company, language),
    retention: describeDays(retentionDays, periods, language),
    quarantine: describeDays(quarantineDays, periods, language),
    repetition: fillPlural(periods.hours, REPEAT_HOURS, language),
    refusals: fillPlural(periods.minutes, REFUSAL_LIMIT.windowMinutes, language),
  }
}
