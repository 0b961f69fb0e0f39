import { MailFault } from './mail-error.ts'
import type { Mailer } from './mailer.ts'

export const MAIL_RESULTS = [
  'accepted',
  'failed', // it goes again, or has been given up
  'misconfigured', // our own settings are at fault
  'broken-off', // the process stops
] as const
export type MailResult = (typeof MAIL_RESULTS)[number]

function judge(error: unknown, signal: AbortSignal | undefined): MailResult {
  if (signal?.aborted) return 'broken-off'
  return error instanceof MailFault && error.misconfigured ? 'misconfigured' : 'failed'
}

/** The same mailer, which tells how each send ended. */
export function watchMailer(mailer: Mailer, onResult: (result: MailResult) => void): Mailer {
  return {
    async send(letter, signal) {
      try {
        const response = await mailer.send(letter, signal)
        onResult('accepted')
        return response
      } catch (error) {
        onResult(judge(error, signal))
        throw error
      }
    },
  }
}
