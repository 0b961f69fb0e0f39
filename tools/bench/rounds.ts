import type { Findings } from './figures.ts'
import type { Load } from './load.ts'
import { startGenerator } from './processes.ts'

export const ROUNDS = 12
/** Duration of one measurement in ms; a round measures each target twice. */
export const DURATION_MS = 400
export const WARM_UP_MS = 2500

/** `createFolder` creates a folder that is removed at the end of the run. */
export type Part = (createFolder: () => string) => Promise<Findings>

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

/** `rates[target][round]` is in answers per second. */
export async function measureRates(loads: Omit<Load, 'duration'>[]) {
  const generator = startGenerator()
  try {
    for (const load of loads) await generator.run({ ...load, duration: WARM_UP_MS })
    return await interleave(
      loads.map((load) => async () => {
        const { answers, seconds } = await generator.run({ ...load, duration: DURATION_MS })
        return answers / seconds
      }),
    )
  } finally {
    await generator.end()
  }
}
