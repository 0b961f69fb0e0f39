import { domainToASCII } from 'node:url'

/**
 * An e-mail address in the one spelling by which its mailbox is found: NFC, ASCII domain, lower case.
 * Imports nothing of shared/contact.ts: its validator would add 45 ms to each start of the thread.
 */
export function toMailbox(email: string): string {
  const text = email.trim().normalize('NFC')
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  const spelling = text.slice(0, at + 1) + (domainToASCII(domain) || domain)
  return spelling.toLowerCase().normalize('NFC')
}
