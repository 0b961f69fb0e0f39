import type { Fault } from './contact-faults.ts'
import type { Language } from './language.ts'
import type { PageId } from './pages.ts'
import type { ProblemCode } from './problems.ts'

export interface ContactLimit {
  count: number
  windowMinutes: number
}

export interface RetentionPeriods {
  retentionDays: number
  quarantineDays: number
}

export type FormValues = Partial<Record<string, string>>

/** A refusal that concerns no field. The page turns the code into a sentence in its language. */
export interface Problem {
  /** Missing when the cause is unknown. */
  code?: ProblemCode
  /** Minutes to wait before the next try. */
  minutes?: number
  /** The HTTP status, if a script sent the form. The page shows it before the sentence. */
  status?: number
  /** The sentence from the server, if the contact page has none for the server's code. */
  sentence?: string
}

/** The result of sending the form. */
export interface ContactOutcome {
  values?: FormValues
  faults?: Fault[]
  problem?: Problem
  /** The reference, or `true` when it is unknown. */
  sent?: string | true
}

/** Data from the server for rendering and hydration. */
export interface PageState {
  page: PageId
  language: Language
  /** The canonical origin, `https://…` without a path. */
  origin: string
  limit: ContactLimit
  retention: RetentionPeriods
  /** The server's time in ms, only on pages with the form. The form sends this time back. */
  formStartTime?: string
  contact?: ContactOutcome
}
