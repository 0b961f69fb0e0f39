import { statSync } from 'node:fs'

/** Slow suites, the slowest first. Sorting by file size alone would start most of these suites too late. */
const SLOWEST = [
  'browser/every-page',
  'inbox/postgres-inbox',
  'browser/form',
  'process/workers',
  'browser/states',
]

/** Starts slow suites first, so that no core idles at the end. */
export default class SuiteSequencer {
  sort(suites: { path: string }[]) {
    const rank = (path: string) => {
      const index = SLOWEST.findIndex((name) => path.includes(name))
      return index < 0 ? SLOWEST.length : index
    }
    return suites.toSorted(
      ({ path: one }, { path: other }) =>
        rank(one) - rank(other) || statSync(other).size - statSync(one).size,
    )
  }

  cacheResults(): void {}
}
