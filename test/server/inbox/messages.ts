import type { NewMessage } from '../../../server/inbox/inbox.ts'

export const HOUR = 60 * 60 * 1000
export { NOON, soon } from '../../support/clock.ts'

export function createMessage(change: Partial<NewMessage> = {}): NewMessage {
  return {
    firstName: 'Zoé',
    lastName: "O'Neil",
    email: 'zoe@exemple.ca',
    service: 'francophone',
    message: 'Bonjour, j’aimerais une formation.',
    trapped: [],
    language: 'fr',
    address: '203.0.113.7',
    ...change,
  }
}
