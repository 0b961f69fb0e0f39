import { statSync } from 'node:fs'

/** The longest suites, whose files are short: they call a suite of another file, or start browsers and processes. */
const LONGEST = [
  'browser/every-page-en',
  'browser/every-page-fr',
  'inbox/postgres-inbox',
  'browser/form',
  'process/workers',
  'browser/states',
  'inbox/moving',
  'server/hostile-posts',
]

interface Suite {
  path: string
}

/** Starts the longest suites first, so that no core waits for the last one. */
export default class SuiteSequencer {
  sort(suites: Suite[]): Suite[] {
    const rank = ({ path }: Suite) => {
      const place = LONGEST.findIndex((name) => path.includes(name))
      return place < 0 ? LONGEST.length : place
    }
    return suites.toSorted(
      (one, other) =>
        rank(one) - rank(other) || statSync(other.path).size - statSync(one.path).size,
    )
  }

  shard(suites: Suite[]): Suite[] {
    return suites
  }

  allFailedTests(suites: Suite[]): Suite[] {
    return suites
  }

  cacheResults(): void {}
}
