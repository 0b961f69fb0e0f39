import type { Faults } from './contact-fields.ts'
import type { ContactLimit } from './contact-limit.ts'
import type { Language } from './language.ts'
import type { PageId } from './pages.ts'
import type { RetentionPeriods } from './retention.ts'

export type FormValues = Partial<Record<string, string>>

/** The reason why a request failed, empty if unknown. describeRefusal turns it into a sentence. */
export interface ContactRefusal {
  /** A ProblemCode or FaultCode, or a code of a newer build. Missing if unknown, or if the browser found the faults. */
  code?: string
  /** Set if fields of the form are not valid. */
  faults?: Faults
  /** Time to wait before the next try. */
  retryAfterSeconds?: number
  /** The HTTP status, if a script sent the form. The page shows it before the sentence of `code`. */
  status?: number
  /** The sentence from the server, which the page shows if it has none for `code`. */
  sentence?: string
}

export interface FormResult {
  /** The server shows a form again that was sent without JavaScript: refused, or in the other language. */
  isShownAgain?: boolean
  /** The visitor's input, for a form that is shown again. */
  values?: FormValues
  refusal?: ContactRefusal
  /** The reference of the stored message, or `true` if the page does not know it. */
  sent?: string | true
}

/** Data from which the server renders a page and the browser hydrates it. */
export interface PageState {
  page: PageId
  language: Language
  /** The canonical origin, such as `https://www.example.ca`. */
  origin: string
  limit: ContactLimit
  retention: RetentionPeriods
  /** The server's time in epoch ms, only on the contact page. The form sends this time back. */
  formStartTime?: string
  contact?: FormResult
  /** The entry of SERVICE_IDS that the URL of the contact page names. */
  service?: string
}
