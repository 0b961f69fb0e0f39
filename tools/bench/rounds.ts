import type { Load, Outcome } from './load.ts'
import { startGenerator } from './processes.ts'

/** How long and how often is measured. */
export interface Pace {
  rounds: number
  /** Into so many sets rounds may be parted, each with servers that are started anew. */
  sets: number
  /** Of one target, twice in each round, in ms. */
  duration: number
  /** Before the first round, so that what is measured is warm, in ms. */
  warmUp: number
  starts: number
  /** After so many requests memory is looked at. */
  requests: { first: number; last: number }
  lighthouseRuns: number
}

export const FULL: Pace = {
  rounds: 12,
  sets: 3,
  duration: 400,
  warmUp: 2500,
  starts: 9,
  requests: { first: 10_000, last: 1_000_000 },
  lighthouseRuns: 5,
}

/** To see that the instrument works; what it says then means nothing. */
export const QUICK: Pace = {
  rounds: 1,
  sets: 1,
  duration: 50,
  warmUp: 50,
  starts: 1,
  requests: { first: 200, last: 1000 },
  lighthouseRuns: 1,
}

/**
 * Measures the targets in turn; each round goes through them forwards and backwards, so that no drift
 * favours one of them. Resolves to the mean of each target in each round.
 */
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

export interface Rates {
  /** Answers a second of each target, by rounds. */
  rates: number[][]
  /** All that was measured of each target. */
  outcomes: Outcome[][]
}

/** What one generator has of several targets by turns; each is warmed up first. */
export async function measureRates(pace: Pace, loads: Load[]): Promise<Rates> {
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
