import type { Findings } from './figures.ts'
import type { Load } from './load.ts'
import { startGenerator } from './processes.ts'

/** Numbers and durations of a run; durations in ms. */
export interface Pace {
  rounds: number
  /** Duration of one measurement; a round measures each target twice. */
  duration: number
  warmUp: number
  /** Number of starts of the site. */
  starts: number
  lighthouseRuns: number
}

export const FULL: Pace = {
  rounds: 12,
  duration: 400,
  warmUp: 2500,
  starts: 9,
  lighthouseRuns: 5,
}

/** For a check that the bench works; the figures mean nothing. */
export const QUICK: Pace = {
  rounds: 1,
  duration: 50,
  warmUp: 50,
  starts: 1,
  lighthouseRuns: 1,
}

export interface PartOptions {
  pace: Pace
  /** Creates a folder that is removed at the end of the run. */
  createFolder(): string
}

export type Part = (parts: PartOptions) => Promise<Findings>

/** Measures forwards and backwards to even out changes of the machine's speed. Resolves to `means[target][round]`. */
export async function interleave(
  rounds: number,
  targets: (() => Promise<number>)[],
): Promise<number[][]> {
  const results: number[][] = targets.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const forwards: number[] = []
    for (const measure of targets) forwards.push(await measure())
    for (const [index, measure] of [...targets.entries()].reverse()) {
      results[index]?.push(((forwards[index] ?? 0) + (await measure())) / 2)
    }
  }
  return results
}

/** `rates[target][round]` is in answers per second. */
export async function measureRates(pace: Pace, loads: Omit<Load, 'duration'>[]) {
  const generator = startGenerator()
  try {
    for (const load of loads) await generator.run({ ...load, duration: pace.warmUp })
    return await interleave(
      pace.rounds,
      loads.map((load) => async () => {
        const { answers, seconds } = await generator.run({ ...load, duration: pace.duration })
        return answers / seconds
      }),
    )
  } finally {
    await generator.end()
  }
}
