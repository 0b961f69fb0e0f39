import type { Message } from '../../server/inbox/inbox.ts'
import { pick } from '../../tools/harness/numbers.ts'
import { HOSTILE_PIECES } from '../../tools/proofs/fuzz/inputs.ts'

const EMAILS = ['zoe@exemple.ca', "o'neil+tag@sub.exemple.ca", 'user%x@y.ca', 'a@exemple.québec']

function createText(random: () => number, maxPieces: number): string {
  const length = Math.ceil(random() * maxPieces)
  return Array.from({ length }, () => pick(random, HOSTILE_PIECES)).join('')
}

/** Creates a message of random pieces, which the form would usually refuse. `number` makes its reference unique. */
export function createHostileMessage(random: () => number, number: number): Message {
  const email = pick(random, EMAILS)
  const text = createText(random, 3)
  return {
    reference: `RG-${String(number).padStart(5, '0')}-TEST2`,
    receivedAt: '2026-05-04T12:00:00.000Z',
    status: 'new',
    firstName: createText(random, 8),
    lastName: createText(random, 8),
    email: pick(random, [email, email, email + text, text + email, createText(random, 6)]),
    service: pick(random, ['', 'francophone']),
    message: createText(random, 30),
    trapped: [],
    language: pick(random, ['fr', 'en']),
  }
}
