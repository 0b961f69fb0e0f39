import type { Logger } from '../log.ts'

/** Time for the last lines of the log. With the total of STOP_PACE in stop-site.ts it is less than 25 s: our compose files kill
 * the process after 30 s. */
const FLUSH_TIMEOUT_MS = 1000

/** Ends the process. Waits for the log, but not for ever: its reader may hang. */
export function leave(log: Logger, code: number): void {
  const end = () => {
    try {
      // Node's own exit waits for each thread that hangs in a write to the log, in a DNS query or on the disk.
      process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {})
    } catch {
      // Windows has no execve.
    }
    process.exit(code)
  }
  setTimeout(end, FLUSH_TIMEOUT_MS)
  log.flush(end)
}

/** Node reports unhandled rejections as uncaught errors too. */
export function endAtUncaughtErrors(log: Logger): void {
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught error; the process ends')
    leave(log, 1)
  })
}
