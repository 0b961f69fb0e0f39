export interface Bell {
  /** Ends the wait under way, or the next one if none is. */
  ring(): void
  /** Resolves after a duration in ms, or when rung; does not keep the process alive. */
  wait(duration: number): Promise<void>
}

export function createBell(): Bell {
  let rung = false
  let wake = () => {}

  return {
    ring() {
      rung = true
      wake()
    },
    async wait(duration) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, duration).unref()
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      rung = false
    },
  }
}
