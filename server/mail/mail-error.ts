const MAX_TEXT_LENGTH = 500

export const MISCONFIGURED_ALARM =
  "mail is misconfigured: nothing can be mailed until this is fixed; check SMTP_URL, MAIL_FROM, MAIL_TO, the mail server's certificate and the installed packages"

export const MAIL_RESULTS = [
  'accepted',
  'failed', // the mail will be retried, or the message is dead
  'misconfigured',
  'broken-off', // aborted by a shutdown
] as const
export type MailResult = (typeof MAIL_RESULTS)[number]

/** `message` may quote the server's reply, which may quote a visitor's text. */
export class MailError extends Error {
  override name = 'MailError'
  /** `misconfigured`: no mail can be sent. `refused`: the server refused this mail permanently. `later`: any other failure. */
  readonly kind: 'misconfigured' | 'refused' | 'later'
  /** For the log: codes only, if the reply may quote the visitor's text. */
  readonly detail: string

  constructor(kind: MailError['kind'], detail: string, message = detail) {
    super(toOneLine(message))
    this.kind = kind
    this.detail = toOneLine(detail)
  }
}

const toOneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, MAX_TEXT_LENGTH)
