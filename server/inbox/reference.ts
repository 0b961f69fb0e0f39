import { randomFillSync } from 'node:crypto'

// 32 characters of five bits each; 0, O, 1 and I look alike and are left out.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const REFERENCE = new RegExp(`^RG(-[${ALPHABET}]{5}){2}$`)
const LENGTH = 10

// Random bytes for 100 references at once: the call takes longer than the rest.
const pool = new Uint8Array(100 * LENGTH)
let used = pool.length

/** 50 random bits that can be read out on the telephone, such as RG-7K3M9-QXT4P. */
export function createReference(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = 'RG'
  for (let index = 0; index < LENGTH; index++) {
    text += (index % 5 === 0 ? '-' : '') + ALPHABET[Number(pool[used++]) % ALPHABET.length]
  }
  return text
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text)
}
