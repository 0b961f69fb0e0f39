/** Prints figures, and remembers whether all that was claimed held. */
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
    /** Prints the end; returns the exit status. */
    finish(): number {
      console.log(failures === 0 ? 'proved' : `not proved: ${failures} of the claims failed`)
      return failures === 0 ? 0 : 1
    },
  }
}

/** The value below which so large a part of the values lies. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
