import { createReference, isReference } from '../../../server/inbox/message.ts'
import { getFingerprint } from '../../../server/inbox/message-row.ts'
import { createMessage } from './messages.ts'

test('a fingerprint depends on the content and on whether a trap was filled, nothing else', () => {
  const fingerprint = getFingerprint(createMessage())
  const message = `\n${createMessage().message}  `
  const same = { message, address: 'x', idempotencyKey: 'y', language: 'en' } as const
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
  expect(getFingerprint(createMessage(same))).toBe(fingerprint)
  expect(getFingerprint(createMessage({ email: 'Zoe@exemple.ca' }))).not.toBe(fingerprint)
  const trapped = getFingerprint(createMessage({ trapped: ['url'] }))
  expect(trapped).not.toBe(fingerprint)
  expect(getFingerprint(createMessage({ trapped: ['website'] }))).toBe(trapped)
})

test('fields that are equal when joined have different fingerprints', () => {
  const one = createMessage({ firstName: 'A B', lastName: 'C' })
  const other = createMessage({ firstName: 'A', lastName: 'B C' })
  expect(getFingerprint(one)).not.toBe(getFingerprint(other))
})

test('references have no look-alikes and do not repeat', () => {
  const references = Array.from({ length: 5000 }, createReference)
  expect(new Set(references).size).toBe(5000)
  for (const reference of references) expect(reference).toMatch(/^RG(-[2-9A-HJ-NP-Z]{5}){2}$/)
  expect(references.filter(isReference)).toEqual(references)
})
