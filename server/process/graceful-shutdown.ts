import type { Logger } from '../log.ts'

/** The process must be gone within 25 s. */
const STOP_TIMEOUT_MS = 24_000

interface ShutdownParts {
  host: {
    on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
    on(event: 'uncaughtException', listener: (error: unknown) => void): unknown
    exit(code: number): void
  }
  log: Logger
  stop: () => Promise<void>
  stopTimeoutMs?: number
}

/**
 * Shuts down gracefully on a signal with exit code 0, and after an uncaught error with 1. A second uncaught
 * error, or the timeout, ends the process at once.
 * @returns shuts down with exit code 1; during a shutdown, changes its exit code to 1
 */
export function stopOnSignals(parts: ShutdownParts): () => void {
  const { host, log, stop, stopTimeoutMs = STOP_TIMEOUT_MS } = parts
  let isStopping = false
  let uncaughtErrors = 0
  let exitCode = 0

  async function end(): Promise<void> {
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      log.error('process did not stop; ended by force')
      host.exit(1)
    }, stopTimeoutMs).unref()
    try {
      await stop()
    } catch (err) {
      log.error({ err }, 'shutdown failed')
      exitCode = 1
    }
    log.info('stopped')
    host.exit(exitCode)
  }

  function fail(): void {
    exitCode = 1
    void end()
  }

  host.on('SIGTERM', end)
  host.on('SIGINT', end)
  // Node reports unhandled rejections here, too.
  host.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught error; the process stops')
    uncaughtErrors += 1
    if (uncaughtErrors > 1) host.exit(1)
    else fail()
  })
  return fail
}
