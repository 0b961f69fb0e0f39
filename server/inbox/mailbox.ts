import { domainToASCII } from 'node:url'

/**
 * The key of a mailbox: the e-mail address in NFC, with an ASCII domain, in lower case. Does not use
 * shared/contact.ts: its validator would add 45 ms to each start of the worker thread.
 */
export function toMailbox(email: string): string {
  const text = email.trim().normalize('NFC')
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  const spelling = text.slice(0, at + 1) + (domainToASCII(domain) || domain)
  return spelling.toLowerCase().normalize('NFC')
}
