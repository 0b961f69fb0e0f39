import { randomBytes } from 'node:crypto'

// 32 signs, five bits each, without 0 O 1 I.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const REFERENCE = new RegExp(`^RG(-[${ALPHABET}]{5}){2}$`)

/** A random reference of 50 bits that can be read out on the telephone, such as RG-7K3M9-QXT4P. */
export function createReference(): string {
  const signs = Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `RG-${signs.slice(0, 5)}-${signs.slice(5)}`
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text)
}
