import type { Load, Outcome } from './load.ts'
import { startGenerator } from './processes.ts'

/** How long and how often is measured. */
export interface Pace {
  rounds: number
  /** Of one target in one round, in ms. */
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
  duration: 800,
  warmUp: 2500,
  starts: 9,
  requests: { first: 10_000, last: 1_000_000 },
  lighthouseRuns: 5,
}

/** To see that the instrument works; what it says then means nothing. */
export const QUICK: Pace = {
  rounds: 1,
  duration: 50,
  warmUp: 50,
  starts: 1,
  requests: { first: 200, last: 1000 },
  lighthouseRuns: 1,
}

/** Measures the targets in turn, forwards and backwards by rounds, so that no drift favours one of them. */
export async function interleave<Result>(
  rounds: number,
  targets: (() => Promise<Result>)[],
): Promise<Result[][]> {
  const results: Result[][] = targets.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const order = [...targets.entries()]
    if (round % 2 === 1) order.reverse()
    for (const [index, measure] of order) results[index]?.push(await measure())
  }
  return results
}

export interface Rates {
  /** Answers a second of each target, by rounds. */
  rates: number[][]
  outcomes: Outcome[][]
}

/** What one generator has of several targets by turns; each is warmed up first. */
export async function measureRates(pace: Pace, loads: Load[]): Promise<Rates> {
  const generator = startGenerator()
  try {
    for (const load of loads) await generator.run({ ...load, duration: pace.warmUp })
    const outcomes = await interleave(
      pace.rounds,
      loads.map((load) => () => generator.run({ duration: pace.duration, ...load })),
    )
    const rates = outcomes.map((each) => each.map(({ answers, seconds }) => answers / seconds))
    return { rates, outcomes }
  } finally {
    await generator.end()
  }
}
