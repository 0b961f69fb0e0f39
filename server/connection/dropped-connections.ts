import type { Logger } from '../log.ts'

/** How often refused connections are logged at most, in ms. */
const INTERVAL = 60_000

/** Logs that connections were refused: the first at once, those after it together. */
export function createDropReport(log: Logger): () => void {
  let refused = 0
  let waiting = false
  const report = () => {
    log.warn({ refused }, 'connections were refused: there are too many')
    refused = 0
    waiting = true
    setTimeout(() => {
      waiting = false
      if (refused > 0) report()
    }, INTERVAL).unref()
  }
  return () => {
    refused += 1
    if (!waiting) report()
  }
}
