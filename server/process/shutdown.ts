import type { Server } from 'node:http'
import type { Inbox } from '../inbox/inbox.ts'
import type { Logger } from '../log.ts'
import type { Mailing } from '../mail/mail-service.ts'

/** Time for the last lines of the log. With the total of STOP_PACE it is less than 25 s. */
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

export const STOP_PACE = {
  /** Time in which new requests are still accepted, so that a proxy notices that the process is not ready. */
  graceMs: 2000,
  /** Time for the requests in flight after the grace time; longer than the request timeout. */
  answersMs: 16_500,
  /** Interval at which idle connections are closed. */
  idleCheckMs: 100,
  /** Time for the mails in flight, once all requests are answered. */
  mailMs: 3000,
  /** Time for the whole stop. */
  totalMs: 23_500,
}
export type StopPace = typeof STOP_PACE

interface StopSiteParts {
  servers: Server[]
  mailing?: Pick<Mailing, 'stop'>
  inbox: Pick<Inbox, 'close'>
  /** Closes Vite and its WebSockets in development, for which `drain` would wait; does nothing in production. */
  close: () => Promise<void>
  log: Logger
}

/** A timeout loses nothing: confirmed messages are stored, and mails without a recorded result are retried. */
export async function stopSite(parts: StopSiteParts, pace: StopPace = STOP_PACE): Promise<void> {
  const { servers, mailing, inbox, close, log } = parts
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    log.warn(
      'shutdown timed out: a request, the mail server or the inbox hangs; every confirmed message is stored',
    )
    timeout.resolve()
  }, pace.totalMs)
  async function stopInOrder(): Promise<void> {
    await close()
    await drain(servers, pace)
    await mailing?.stop(pace.mailMs)
    await inbox.close()
  }
  await Promise.race([stopInOrder(), timeout.promise])
  clearTimeout(timer)
}

/** Accepts requests for the grace time only; resolves when all are answered, or cut off after `answersMs`. */
export async function drain(servers: Server[], pace: StopPace): Promise<void> {
  // Each answer closes its connection, so that no client reuses a connection that is about to close.
  for (const server of servers) {
    server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  }
  await new Promise((resolve) => setTimeout(resolve, pace.graceMs))
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
  const closeIdle = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, pace.idleCheckMs)
  const closeAll = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, pace.answersMs)
  await Promise.all(closed)
  clearInterval(closeIdle)
  clearTimeout(closeAll)
}
