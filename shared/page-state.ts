import type { FaultCode, Faults } from './contact-fields.ts'
import type { ContactLimit } from './contact-limit.ts'
import type { Language } from './language.ts'
import type { PageId } from './pages.ts'
import type { ProblemCode } from './problems.ts'
import type { RetentionPeriods } from './retention.ts'

export type FormValues = Partial<Record<string, string>>

/** The reason why a request failed, empty if unknown. describeRefusal turns it into a sentence. */
export interface ContactRefusal {
  /** Missing if unknown, if `sentence` is set, or if the browser found the faults. */
  code?: ProblemCode | FaultCode
  /** Set if fields of the form are not valid. */
  faults?: Faults
  /** Time to wait before the next try. */
  retryAfterSeconds?: number
  /** The HTTP status, if a script sent the form and `code` is set. The page shows it before the sentence. */
  status?: number
  /** The sentence from the server, if the contact page has none for the server's code. */
  sentence?: string
}

export interface FormResult {
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
