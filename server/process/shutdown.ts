import type { Logger } from '../log.ts'

/** Time for the last lines of the log. With the total of STOP_PACE in stop-site.ts it is less than 25 s. */
const FLUSH_TIMEOUT_MS = 1000

export interface Host {
  on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown
  execve?(file: string, args: string[], environment: Record<string, string>): never
  exit(code: number): void
}

/** The only way out of a running process. It waits for the log, but not for ever: its reader may hang. */
export function leave(host: Host, log: Logger, code: number): void {
  const end = () => {
    try {
      // Node's own exit waits for each thread that hangs in a write to the log, in a DNS query or on the disk.
      host.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {})
    } catch {
      // Windows has no execve.
    }
    host.exit(code)
  }
  setTimeout(end, FLUSH_TIMEOUT_MS)
  log.flush(end)
}

interface ShutdownParts {
  host: Host
  log: Logger
  /** Must end within 24 s: our compose files and systemd unit let the process be killed after 30 s. */
  stop: () => Promise<void>
}

/** An uncaught error ends the process at once. The returned function stops the site with exit code 1. */
export function stopOnSignals({ host, log, stop }: ShutdownParts): () => void {
  let isStopping = false

  async function end(exitCode: number, signal?: 'SIGTERM' | 'SIGINT'): Promise<void> {
    if (isStopping) return
    isStopping = true
    if (signal) log.info({ signal }, 'asked to stop; requests and mails in flight finish first')
    let code = exitCode
    try {
      await stop()
    } catch (err) {
      log.error({ err }, 'shutdown failed')
      code = 1
    }
    log.info({ exitCode: code }, 'stopped')
    leave(host, log, code)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) host.on(signal, () => void end(0, signal))
  // Node reports unhandled rejections as uncaught errors too.
  host.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught error; the process ends')
    leave(host, log, 1)
  })
  return () => void end(1)
}
