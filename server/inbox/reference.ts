import { randomBytes } from 'node:crypto'

// 32 characters of five bits each; 0, O, 1 and I look alike and are left out.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const REFERENCE = new RegExp(`^RG(-[${ALPHABET}]{5}){2}$`)

/** 50 random bits that can be read out on the telephone, such as RG-7K3M9-QXT4P. */
export function createReference(): string {
  const text = Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `RG-${text.slice(0, 5)}-${text.slice(5)}`
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text)
}
