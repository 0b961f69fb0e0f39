import type { Findings } from './figures.ts'

export const ROUNDS = 12
/** Duration of one measurement in ms; a round measures each target twice. */
export const DURATION_MS = 400
export const WARM_UP_MS = 2500

/** The folder is empty, and is removed at the end of the run. */
export type Part = (folder: string) => Promise<Findings>

/** Measures forwards and backwards to even out changes of the machine's speed. Resolves to `means[target][round]`. */
export async function interleave(targets: (() => Promise<number>)[]): Promise<number[][]> {
  const results: number[][] = targets.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    const forwards: number[] = []
    for (const measure of targets) forwards.push(await measure())
    for (const [index, measure] of [...targets.entries()].reverse()) {
      results[index]?.push(((forwards[index] ?? 0) + (await measure())) / 2)
    }
  }
  return results
}
