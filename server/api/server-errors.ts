import { countErrors } from '../inbox/measure.ts'
import type { Store } from '../inbox/store.ts'
import type { Logger } from '../log.ts'

const MINUTE_MS = 60_000

/** Counts pages and calls that are answered with 500. Once a minute they go into the rows of the day, for the owner's letter. */
export function createServerErrors(store: Store, log: Pick<Logger, 'warn'>) {
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const counted = [...counts]
    counts.clear()
    try {
      for (const [place, number] of counted) await countErrors(store, place, number)
    } catch (err) {
      log.warn({ err, counted }, 'server errors could not be counted in the inbox')
    }
  }

  return {
    /** `place` is a page, or the pattern of a route. */
    count(place: string): void {
      counts.set(place, (counts.get(place) ?? 0) + 1)
      timer ??= setTimeout(flush, MINUTE_MS).unref()
    },
    flush,
  }
}
