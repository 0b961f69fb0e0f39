import type { Fault } from './contact.ts'
import type { Language } from './language.ts'
import type { PageId } from './pages.ts'

export interface ContactLimit {
  count: number
  windowMinutes: number
}

/** After how many days messages are erased: ordinary ones, and those that filled a trap. */
export interface RetentionPeriods {
  retentionDays: number
  quarantineDays: number
}

export type FormValues = Partial<Record<string, string>>

/** What became of a form that was sent. */
export interface ContactOutcome {
  values?: FormValues
  faults?: Fault[]
  /** The sentence of a refusal that no field is to blame for. */
  problem?: string
  /** A message is kept; its reference where it is known. */
  sent?: string | true
}

/** What the server knew when it rendered a document, and the browser needs to hydrate it. */
export interface PageState {
  page: PageId
  language: Language
  /** The canonical origin, `https://…` without a path. */
  origin: string
  limit: ContactLimit
  retention: RetentionPeriods
  /** The server's time in ms, where the page has a form that sends it back. */
  formStartTime?: string
  contact?: ContactOutcome
}
