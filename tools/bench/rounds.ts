import type { Findings } from './figures.ts'
import type { Load, Outcome } from './load.ts'
import { startGenerator } from './processes.ts'

/** Numbers and durations of a run; durations in ms. */
export interface Pace {
  rounds: number
  /** Number of groups into which the part `get` divides its rounds; each group starts new servers. */
  sets: number
  /** Duration of one measurement; a round measures each target twice. */
  duration: number
  warmUp: number
  /** Number of starts of the site. */
  starts: number
  lighthouseRuns: number
}

export const FULL: Pace = {
  rounds: 12,
  sets: 3,
  duration: 400,
  warmUp: 2500,
  starts: 9,
  lighthouseRuns: 5,
}

/** For a check that the bench works; the figures mean nothing. */
export const QUICK: Pace = {
  rounds: 1,
  sets: 1,
  duration: 50,
  warmUp: 50,
  starts: 1,
  lighthouseRuns: 1,
}

export interface PartParts {
  pace: Pace
  /** Creates a folder that is removed at the end of the run. */
  createFolder(): string
}

export type Part = (parts: PartParts) => Promise<Findings>

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
  const outcomes: Outcome[][] = loads.map(() => [])
  try {
    for (const load of loads) await generator.run({ ...load, duration: pace.warmUp })
    const rates = await interleave(
      pace.rounds,
      loads.map((load, index) => async () => {
        const outcome = await generator.run({ ...load, duration: pace.duration })
        outcomes[index]?.push(outcome)
        return outcome.answers / outcome.seconds
      }),
    )
    return { rates, outcomes }
  } finally {
    await generator.end()
  }
}
