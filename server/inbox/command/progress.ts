import type { Writable } from 'node:stream'

export interface Progress {
  /** Replaces the line that is shown, at most ten times a second. */
  show(text: string): void
  clear(): void
}

const INTERVAL = 100
const CLEAR_LINE = '\r\u001b[K'

/** A line that tells a person at a terminal how far long work is; nothing for anything else. */
export function createProgress(stream: Writable & { isTTY?: boolean }): Progress {
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show(text) {
      if (!stream.isTTY || performance.now() - shownAt < INTERVAL) return
      shownAt = performance.now()
      stream.write(`${CLEAR_LINE}${text} …`)
    },
    clear() {
      if (stream.isTTY && shownAt > 0) stream.write(CLEAR_LINE)
    },
  }
}
