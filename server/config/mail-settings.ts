import * as z from 'zod'
import { isEmail } from '../../shared/contact.ts'
import { parseSmtpUrl } from './smtp-url.ts'

/** All of them or none. */
export const MAIL_VARIABLES = ['SMTP_URL', 'MAIL_FROM', 'MAIL_TO']

export const smtpUrl = z.string().transform((text, context) => {
  try {
    return parseSmtpUrl(text)
  } catch (error) {
    context.addIssue((error as Error).message)
    return z.NEVER
  }
})

export const mailbox = z
  .string()
  .refine(
    (text) => /^[\x21-\x7e]+$/.test(text) && isEmail(text),
    'is not one address like site@example.ca (a domain with accents in its form with xn--)',
  )
