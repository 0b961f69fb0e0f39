import type { createRandom } from '../harness/numbers.ts'

/** Prints figures and counts the claims that fail. */
export function createReport() {
  let failures = 0
  return {
    note(text: string): void {
      console.log(`  ${text}`)
    },
    claim(text: string, holds: boolean): void {
      if (!holds) failures += 1
      console.log(`  ${holds ? 'holds' : 'FAILS'}: ${text}`)
    },
    /** Prints the result; returns the exit status. */
    finish(): number {
      console.log(failures === 0 ? 'proved' : `not proved: ${failures} claims failed`)
      return failures === 0 ? 0 : 1
    },
  }
}

export interface ProofParts {
  random: ReturnType<typeof createRandom>
  report: ReturnType<typeof createReport>
  /** Number of rounds, messages or requests; each proof has its own default. */
  count?: number
  /** Kinds of store; empty for the proof's own choice. */
  stores: string[]
  /** Origin of a running site, for `smoke`. */
  site?: string
  /** Duration of `soak`. */
  minutes?: number
  /** `smoke` sends a message that is kept and mailed. */
  post?: boolean
}

export type Proof = (parts: ProofParts) => Promise<void>
