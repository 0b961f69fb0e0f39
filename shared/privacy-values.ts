import { REFUSAL_LIMIT, REPEAT_HOURS } from './constants.ts'
import type { Company, Content } from './content/content.ts'
import { companyValues, fillPlural, type Values } from './format.ts'
import type { Language } from './language.ts'
import type { RetentionPeriods } from './page-state.ts'

/** A number of days, in years where they are whole. */
function describeDays(
  count: number,
  { years, days }: Content['privacy']['periods'],
  language: Language,
): string {
  return count % 365 === 0
    ? fillPlural(years, count / 365, language)
    : fillPlural(days, count, language)
}

/** The values that the privacy policy may name: the firm's facts, and how long things are kept. */
export function privacyValues(
  company: Company,
  { retentionDays, quarantineDays }: RetentionPeriods,
  { periods }: Pick<Content['privacy'], 'periods'>,
  language: Language,
): Values {
  return {
    ...companyValues(company, language),
    retention: describeDays(retentionDays, periods, language),
    quarantine: describeDays(quarantineDays, periods, language),
    repetition: fillPlural(periods.hours, REPEAT_HOURS, language),
    refusals: fillPlural(periods.minutes, REFUSAL_LIMIT.windowMinutes, language),
  }
}
