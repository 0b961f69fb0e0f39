import type { Logger } from '../log.ts'

/** Less than the 25 s within which the process is to be gone, in ms. */
const TIME_TO_STOP = 24_000

export interface StopParts {
  /** The process itself. */
  host: {
    on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
    on(event: 'uncaughtException', listener: (error: unknown) => void): unknown
    exit(code: number): void
  }
  log: Logger
  /** Resolves when nothing is under way any more; false when not all of it ended well. */
  stop: () => Promise<boolean>
  /** How long that may take, in ms. */
  timeToStop?: number
}

/**
 * Stops in order when a signal asks for it, with exit code 0, and after an error that nobody caught,
 * with 1. A second such error, or the end of the time, ends the process at once.
 * @returns what stops it for another reason, with exit code 1
 */
export function stopInOrder(parts: StopParts): () => void {
  const { host, log, stop, timeToStop = TIME_TO_STOP } = parts
  let stopping = false
  let errors = 0
  let failed = false

  async function end(): Promise<void> {
    if (stopping) return
    stopping = true
    setTimeout(() => {
      log.error('process did not stop; ended by force')
      host.exit(1)
    }, timeToStop).unref()
    try {
      if (!(await stop())) failed = true
    } catch (err) {
      log.error({ err }, 'the stop failed')
      failed = true
    }
    log.info('stopped')
    host.exit(failed ? 1 : 0)
  }

  function fail(): void {
    failed = true
    void end()
  }

  host.on('SIGTERM', end)
  host.on('SIGINT', end)
  // Rejections that nobody handled come here, too.
  host.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an error that nobody caught: the process stops')
    errors += 1
    if (errors > 1) host.exit(1)
    else fail()
  })
  return fail
}
