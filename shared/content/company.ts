import data from './company.json' with { type: 'json' }
import type { Company } from './content.ts'

export const company: Company = data
