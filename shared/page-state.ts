import type { Fault } from './contact.ts'
import type { Language } from './language.ts'
import type { PageId } from './pages.ts'
import type { ProblemCode } from './problems.ts'

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

/** A refusal that no field is to blame for. It becomes a sentence where it is shown, in the language shown there. */
export interface Problem {
  /** Missing where nobody has said why. */
  code?: ProblemCode
  /** After how many minutes another try makes sense. */
  minutes?: number
  /** What a script was answered with stands before the sentence. */
  status?: number
  /** How it was said to a script, where the code is none of ours. */
  sentence?: string
}

/** What became of a form that was sent. */
export interface ContactOutcome {
  values?: FormValues
  faults?: Fault[]
  problem?: Problem
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
