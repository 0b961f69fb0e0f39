import { createHash } from 'node:crypto'
import type { ContactRequest } from '../../shared/contact.ts'

/** SHA-256 in hex of what makes two requests the same: the content, and whether a trap was filled. */
export function getFingerprint(request: ContactRequest): string {
  const { firstName, lastName, email, service, message, trapped } = request
  const content = [firstName, lastName, email, service, message.trim(), trapped.length > 0]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
